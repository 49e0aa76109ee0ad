import { access, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { ProcessResult } from "../../process/process.ts";
import { contractCall, describeAgentContract } from "../agent.contract.ts";
import { fakeHarness, harnessMakers, seat } from "../harness/fake-harness.fixture.ts";
import type { HarnessLook } from "../harness/harness.ts";
import { opencode } from "./opencode.ts";

const tokens = { input: 6, output: 3, reasoning: 0, cache: { read: 1, write: 0 } };
const finish = (reason: string, used: unknown = tokens) => ({
	type: "step_finish",
	part: { reason, tokens: used, cost: 0.1 },
});

describeAgentContract(
	"the opencode adapter",
	harnessMakers(opencode, {
		answered: (text) => [
			{ type: "step_start", part: {} },
			{ type: "text", part: { text } },
			finish("stop"),
		],
		failed: [finish("tool-calls"), { type: "error", error: { name: "APIError", data: {} } }],
	}),
	[],
	thorough,
);

let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-opencode-"));
});

afterEach(async () => {
	await rm(dir, { recursive: true });
});

async function put(path: string, text: string): Promise<void> {
	await mkdir(dirname(join(dir, path)), { recursive: true });
	await writeFile(join(dir, path), text);
}

const refusal = async (args: readonly string[] = []): Promise<string | null | undefined> =>
	(await opencode.survey?.(seat({ cwd: dir, args })))?.refusal;

test("a checkout without plugins is fine, whatever else it configures", async () => {
	expect(await refusal()).toBeNull();
	await put("opencode.json", '{ "permission": { "edit": "allow" } }');
	await put(".opencode/agent/sparring.md", "plugin");
	expect(await refusal()).toBeNull();
});

test.each([
	[".opencode/plugin/x.js", "", ".opencode/plugin"],
	[".opencode/plugins/x.ts", "", ".opencode/plugins"],
	["opencode.json", '{ "plugin": ["x"] }', "opencode.json"],
	["opencode.jsonc", '{ "pl\\u0075gins": ["x"] }', "opencode.jsonc"],
	[".opencode/opencode.json", '{ "plugins": ["x"] }', ".opencode/opencode.json"],
	["opencode.json", " ".repeat(1_000_001), "opencode.json"],
])("a checkout with plugins in %s is refused", async (path, text, named) => {
	await put(path, text);
	expect(await refusal()).toContain(`(${named})`);
	expect(await refusal(["--no-pure"])).toBeNull();
});

test("a configuration that is not a plain file is refused", async () => {
	await mkdir(join(dir, "opencode.json"));
	expect(await refusal()).toContain("(opencode.json)");
	await rm(join(dir, "opencode.json"), { recursive: true });
	await put("elsewhere/plugin/x.js", "");
	await symlink("elsewhere", join(dir, ".opencode"));
	expect(await refusal()).toContain("(.opencode/plugin)");
});

test("a call that is refused starts nothing and is not tried again", async () => {
	await put(".opencode/plugin/x.js", "");
	const agent = await fakeHarness(opencode, dir, { events: [], before: `touch '${dir}/ran'` });
	const outcome = await agent.call(await contractCall(dir), new AbortController().signal);
	expect(outcome).toMatchObject({ kind: "failed", failure: "unknown", output: "", ms: 0 });
	expect(outcome.kind === "failed" && outcome.message).toContain("plugins from the checkout");
	await expect(access(join(dir, "ran"))).rejects.toThrow("ENOENT");
});

test("a program that goes round in circles is ended at once", async () => {
	const empty = { input: 0, output: 0 };
	const events = Array.from({ length: 30 }, () => finish("unknown", empty));
	const agent = await fakeHarness(opencode, dir, { events, after: "sleep 300" });
	const call = await contractCall(dir, { timeoutMs: 30_000 });
	const outcome = await agent.call(call, new AbortController().signal);
	expect(outcome).toMatchObject({ kind: "failed", failure: "network" });
	expect(outcome.ms).toBeLessThan(30_000);
});

test("the file of the user's sign-in is found where the user keeps it", async () => {
	await put("data/opencode/auth.json", "{}");
	const store = { XDG_DATA_HOME: join(dir, "data") };
	const signIn = join(dir, "data/opencode/auth.json");
	expect((await opencode.survey?.(seat({ cwd: dir, store })))?.found).toEqual({ signIn });
	expect((await opencode.survey?.(seat({ cwd: dir, store, login: "key" })))?.found).toEqual({});
	expect((await opencode.survey?.(seat({ cwd: dir })))?.found).toEqual({});
});

function look(stdout: string, rest: Partial<HarnessLook> = {}): HarnessLook {
	const ran: ProcessResult = {
		exitCode: 0,
		signal: null,
		timedOut: false,
		started: true,
		startError: null,
		stdout,
		stderr: "",
		output: "",
		startedAt: 0,
		ms: 1,
	};
	return { run: () => Promise.resolve(ran), env: {}, login: "user", named: [], ...rest };
}

test.each([
	["└  2 credentials", true, "signed in to 2 providers"],
	["└  1 credentials", true, "signed in to 1 provider"],
	["└  0 credentials", "warn", "not signed in to any provider: only free models will work"],
	["", "warn", "cannot tell whether it is signed in"],
])("`opencode auth list` ending with %j is %s", async (stdout, ok, detail) => {
	const found = await opencode.signIn(look(stdout));
	expect(found).toMatchObject({ ok, detail });
	expect(found.fix === null).toBe(ok === true);
});

test("a key that the workflow passes on wins, and with login: key it is the only way in", async () => {
	const run = () => Promise.reject(new Error("ran"));
	const keyed = look("", { run, named: ["OPENAI_API_KEY"], env: { OPENAI_API_KEY: "k" } });
	expect(await opencode.signIn(keyed)).toMatchObject({ ok: true, detail: "OPENAI_API_KEY is set" });
	expect(await opencode.signIn({ ...keyed, login: "key" })).toMatchObject({ ok: true });
	expect(await opencode.signIn({ ...keyed, login: "key", env: {} })).toMatchObject({ ok: false });
});
