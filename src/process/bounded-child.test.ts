import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { shellChild } from "./bounded-child.fixture.ts";
import { type BoundedChild, runBoundedChild } from "./bounded-child.ts";

const shell = (script: string, more?: Partial<BoundedChild>) =>
	runBoundedChild(shellChild(script, more));

test("a program that exits returns its output", async () => {
	const end = await shell("cat; echo no >&2; exit 3", { stdin: Buffer.from([0x69, 0, 0xff]) });
	expect(end).toEqual({
		exitCode: 3,
		stdout: Buffer.from([0x69, 0, 0xff]),
		stderr: "no",
		truncated: false,
		timedOut: false,
	});
});

test("a program gets no other variables than those it is given", async () => {
	const { stdout } = await shell("env", { env: { PATH: "/usr/bin:/bin", ONE: "1" } });
	const names = stdout.toString().match(/^\w+(?==)/gm) ?? [];
	expect(names.filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name)).sort()).toEqual([
		"ONE",
		"PATH",
	]);
});

test("a program that times out is ended with its children, even if it ignores SIGTERM", async () => {
	const startedAt = Date.now();
	const end = await shell(
		"trap '' TERM; sh -c 'trap \"\" TERM; sleep 600' & sleep 600; sleep 600",
		{ timeoutMs: 200, graceMs: 100 },
	);
	expect(end).toMatchObject({ exitCode: -1, timedOut: true });
	expect(Date.now() - startedAt).toBeLessThan(20_000);
});

thorough("an aborted signal ends a program and starts no new one", async () => {
	const controller = new AbortController();
	const running = shell("sleep 600", { signal: controller.signal });
	controller.abort(new Error("cancelled"));
	await expect(running).rejects.toThrow("cancelled");
	await expect(shell("true", { signal: controller.signal })).rejects.toThrow("cancelled");
});

test("what is aborted may finish what it does, and is not asked to end meanwhile", async () => {
	const directory = mkdtempSync(join(tmpdir(), "spar-bounded-"));
	try {
		const controller = new AbortController();
		const running = shell(
			"trap 'echo asked > asked' TERM; echo > up; until [ -e go ]; do sleep 0.01; done; echo > done",
			{ cwd: directory, signal: controller.signal },
		);
		await waitUntil("it runs", () => existsSync(join(directory, "up")));
		controller.abort(new Error("cancelled"));
		writeFileSync(join(directory, "go"), "");
		await expect(running).rejects.toThrow("cancelled");
		expect(readdirSync(directory).sort()).toEqual(["done", "go", "up"]);
	} finally {
		rmSync(directory, { recursive: true });
	}
});

test("a program with too much output is ended", async () => {
	const end = await shell("yes", { maxStdout: 10 });
	expect(end).toMatchObject({ truncated: true, exitCode: 0, timedOut: false });
	expect(end.stdout).toHaveLength(10);
});

thorough("programs that run at the same time get their own output", async () => {
	const ends = await Promise.all([1, 2, 3].map((each) => shell(`echo ${each}`)));
	expect(ends.map(({ stdout }) => stdout.toString())).toEqual(["1\n", "2\n", "3\n"]);
});

test("a missing program is an error with the system's code", async () => {
	await expect(shell("", { program: "no-such-program" })).rejects.toMatchObject({
		code: "ENOENT",
	});
});
