import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { maskerFor } from "../masking/masking.ts";
import { runSetup, type SetupRequest } from "./setup.ts";
import { setupKey } from "./setup-key.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar setup-"));
	await mkdir(path.join(dir, "checkout"));
});
afterEach(async () => rm(dir, { recursive: true, force: true }));

const stateFile = () => path.join(dir, "state", "setup");
const setup = (commands: string[], changed: Partial<SetupRequest> = {}) =>
	runSetup(
		{
			checkout: path.join(dir, "checkout"),
			commands,
			key: "k1",
			stateFile: stateFile(),
			env: { PATH: "/usr/bin:/bin" },
			mark: `setup-test-${process.pid}`,
			work: path.join(dir, "tmp"),
			confines: false,
			home: null,
			masker: maskerFor([{ value: "hunter2hunter2", rule: "env" }]),
			timeoutMs: 20_000,
			force: false,
			...changed,
		},
		new AbortController().signal,
	);
const runs = async () => (await readFile(path.join(dir, "checkout", "log"), "utf8")).length;

test("setup runs once per key, and again when the key changed or it is forced", async () => {
	expect(await setup(["printf x >> log"])).toMatchObject({
		status: "pass",
		ran: true,
		reason: null,
	});
	expect(await setup(["printf x >> log"])).toMatchObject({ status: "pass", ran: false });
	expect(await runs()).toBe(1);
	await setup(["printf x >> log"], { key: "k2" });
	await setup(["printf x >> log"], { key: "k2", force: true });
	expect(await runs()).toBe(3);
	expect(await setup([])).toMatchObject({ status: "pass", ran: false });
});

test("a failed setup stops, forgets its key, and leaks no secret", async () => {
	await setup(["true"]);
	const failed = await setup(["echo hunter2hunter2; exit 4", "printf x >> log"], { key: "k2" });
	expect(failed).toMatchObject({ status: "fail", ran: true });
	expect(failed.reason).toContain("exit code 4");
	expect(failed.output).not.toContain("hunter2");
	await expect(runs()).rejects.toThrow();
	expect(await setup(["true"])).toMatchObject({ ran: true });
});

test("what could not start or did not end is an error", async () => {
	expect(await setup(["no-such-program-here"])).toMatchObject({ status: "error" });
	expect(await setup(["sleep 30"], { timeoutMs: 100 })).toMatchObject({ status: "error" });
	expect(await setup(["kill -9 $$"])).toMatchObject({ status: "error" });
	expect(await setup(["true"], { checkout: path.join(dir, "none") })).toMatchObject({
		status: "error",
	});
});

test("a key that cannot be written is a fault", async () => {
	await writeFile(path.join(dir, "state"), "a file");
	await expect(setup(["true"])).rejects.toMatchObject({ code: "state-unwritable" });
});

test("the key follows the commands and the manifests at any depth, in any order", () => {
	const files = [
		{ path: "package.json", oid: "1" },
		{ path: "a b/sub/package-lock.json", oid: "2" },
		{ path: "src/a.js", oid: "3" },
	];
	const key = setupKey(["npm ci"], files, []);
	expect(setupKey(["npm ci"], files.toReversed(), [])).toBe(key);
	expect(setupKey(["npm ci"], files.with(2, { path: "src/a.js", oid: "9" }), [])).toBe(key);
	expect(
		setupKey(["npm ci"], files.with(1, { path: "a b/sub/package-lock.json", oid: "9" }), []),
	).not.toBe(key);
	expect(setupKey(["npm i"], files, [])).not.toBe(key);
	expect(setupKey(["npm ci"], files, ["src/**"])).not.toBe(
		setupKey(["npm ci"], files.slice(0, 2), ["src/**"]),
	);
});

test.each(["/src/a.js", "./src/a.js", "src"])("%s names a file as elsewhere", (glob) => {
	const at = (oid: string) => setupKey(["npm ci"], [{ path: "src/a.js", oid }], [glob]);
	expect(at("1")).not.toBe(at("2"));
});

test("without globs, files that the commands name count too", () => {
	const at = (path: string, oid: string) =>
		setupKey(["cd sub && sh ./prepare.sh; make deps"], [{ path, oid }], []);
	for (const path of ["sub/prepare.sh", "prepare.sh", "Makefile"])
		expect(at(path, "1")).not.toBe(at(path, "2"));
	for (const path of ["sub/prepare.sh.txt", "justfile", "src/a.js"])
		expect(at(path, "1")).toBe(at(path, "2"));
});
