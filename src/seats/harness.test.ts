import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import type { Harness, HarnessLook, SignIn } from "../agents/harness/harness.ts";
import { harnessState, type Probe } from "./harness.ts";

const containing = (text: string): unknown => expect.stringContaining(text);

let folder = "";
beforeEach(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), "spar-harness-")));
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(folder, { recursive: true, force: true });
});

/** A program that answers `--version` and `whoami` with lines of shell. */
async function program(version: string, whoami = "echo nobody"): Promise<string> {
	const file = path.join(folder, "fake");
	const script = `#!/bin/sh\ncase "$1" in\n--version) ${version};;\n*) ${whoami};;\nesac\n`;
	await writeFile(file, script, { mode: 0o755 });
	return file;
}

/** Signed in with what `whoami` prints; by key when KEY is set and passed on. */
async function signIn(look: HarnessLook): Promise<SignIn> {
	if (look.login === "key") {
		return look.named.includes("KEY") && look.env["KEY"] !== undefined
			? { ok: true, detail: "login: key, KEY is set", fix: null }
			: { ok: false, detail: "login: key, but no key is set", fix: "Set KEY." };
	}
	const { stdout } = await look.run(["whoami"]);
	const name = stdout.trim();
	if (name === "nobody") return { ok: false, detail: "not signed in", fix: "Sign in." };
	return { ok: true, detail: `signed in as ${name}`, fix: null };
}

const fake: Harness = {
	name: "codex",
	package: { name: "fake", version: "1" },
	hosts: [],
	homes: [],
	steps: () => [],
	storeVariables: ["FAKE_STORE"],
	keyVariables: ["KEY"],
	gateways: [],
	launch: () => {
		throw new Error("a doctor calls no model");
	},
	reader: () => {
		throw new Error("a doctor calls no model");
	},
	signIn,
};

const PATH = process.env["PATH"];
const line = async (probe: Partial<Probe> & { readonly program: string }, harness = fake) =>
	harnessState(harness, { login: "user", named: [], env: { PATH }, ...probe });

test("version, sign-in and program are told, and nothing is left behind", async () => {
	const file = await program("echo fake 1.2.3; echo more", "echo me");
	const temporary = path.join(folder, "temporary");
	await mkdir(temporary);
	vi.stubEnv("TMPDIR", temporary);
	expect(await line({ program: file })).toEqual({
		ok: true,
		detail: `fake 1.2.3; login: user, signed in as me; ${file}`,
		fix: null,
	});
	expect(await readdir(temporary)).toEqual([]);
});

test("the login that works is named where the chosen one does not", async () => {
	const file = await program("echo 1");
	const env = { PATH, KEY: "k" };
	expect(await line({ program: file, env })).toMatchObject({
		ok: false,
		detail: `1; login: user, not signed in; login: key, KEY is set; ${file}`,
		cause: "login: user, not signed in",
		fix: "Sign in. `login: key, env: [KEY]` would work now.",
	});
	await program("echo 1", "echo me");
	expect(await line({ program: file, login: "key", named: ["KEY"] })).toMatchObject({
		ok: false,
		fix: "Set KEY. `login: user` would work now.",
	});
	expect(await line({ program: file, login: "key", named: ["KEY"], env })).toMatchObject({
		ok: true,
		detail: `1; login: key, KEY is set; login: user, signed in as me; ${file}`,
		fix: null,
	});
});

test("it gets the environment of a call: the user's store or a private home, and what env names", async () => {
	const file = await program("echo 1", 'echo "$HOME|$FAKE_STORE|$MINE|$SECRET|$(pwd)"');
	const env = { PATH, HOME: "/users/me", FAKE_STORE: "/store", MINE: "m", SECRET: "s" };
	const { detail } = await line({ program: file, named: ["MINE"], env });
	expect(detail).toMatch(/signed in as \/users\/me\|\/store\|m\|\|\S*spar-doctor-\w+\/empty;/);
	const seen: string[] = [];
	const asking: Harness = {
		...fake,
		signIn: async (look) => {
			if (look.login === "key") seen.push((await look.run(["whoami"])).stdout);
			return signIn(look);
		},
	};
	await line({ program: file, login: "key", named: ["MINE"], env }, asking);
	expect(seen.join("")).toMatch(/^\S*spar-doctor-\w+\/home\|\|m\|\|/);
});

test.each([
	["exit 3", "ended with 3 when asked for its version"],
	["echo 'no node here' >&2; exit 1", "ended with 1 when asked for its version: no node here"],
	["kill -9 $$", "ended with SIGKILL when asked for its version"],
	["true", "did not say its version"],
	["printf '\\177ELF\\001\\002'", "did not say its version: what it printed is unreadable"],
	["printf '\\377x' >&2; exit 1", "ended with 1 when asked for its version"],
])("a program whose version is `%s` does not work", async (version, problem) => {
	const file = await program(version);
	expect(await line({ program: file })).toEqual({
		ok: false,
		detail: `${file} ${problem}`,
		fix: "Run `codex --version` by hand, and reinstall it if that fails.",
	});
});

test("a program that is none cannot be started", async () => {
	await mkdir(path.join(folder, "sub"));
	expect(await line({ program: path.join(folder, "sub") })).toMatchObject({
		ok: false,
		detail: containing("cannot be started"),
	});
});

test("a program whose interpreter is missing is told apart from one that is missing", async () => {
	const file = path.join(folder, "script");
	await writeFile(file, "#!/no/such/interpreter\n", { mode: 0o755 });
	expect((await line({ program: file })).detail).toBe(
		`${file} cannot be started: the interpreter that its first line names is missing`,
	);
	expect((await line({ program: path.join(folder, "none") })).detail).toContain("it is missing");
});

test("a sign-in that cannot be read is a warning, not the end", async () => {
	const broken: Harness = { ...fake, signIn: () => Promise.reject(new Error("odd answer")) };
	expect(await line({ program: await program("echo 1") }, broken)).toMatchObject({
		ok: "warn",
		detail: containing("cannot be told: odd answer"),
	});
});

thorough("a flood of output becomes one short line", async () => {
	const file = await program("head -c 30000000 /dev/zero | tr '\\0' x");
	expect((await line({ program: file })).detail.length).toBeLessThan(500);
});
