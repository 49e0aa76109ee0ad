import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { fieldsOf } from "../../kernel/fields.ts";
import type { ProcessRequest } from "../../process/process.ts";
import { bareHost } from "../../process/run-process.ts";
import {
	contractCall,
	describeAgentContract,
	HANGING,
	OTHER_REPORT,
	REPORT,
} from "../agent.contract.ts";
import type { Agent, AgentCall, AgentOutcome } from "../agent.ts";
import { type AcpAgentOptions, acpAgent } from "./acp-agent.ts";

const FAKE = resolve("test/fixtures/acp/fake-agent.mjs");

type Json = Readonly<Record<string, unknown>>;

/** An agent that does what the script says; see the fixture. */
function fake(script: Json = {}, rest: Partial<AcpAgentOptions> = {}): Agent {
	return acpAgent({
		run: [process.execPath, FAKE, JSON.stringify(script)],
		login: "user",
		env: {},
		host: bareHost,
		...rest,
	});
}

const bash = (text: string): Agent =>
	acpAgent({ run: ["bash", "-c", text], login: "user", env: {}, host: bareHost });

const say = (text: string, rest: Json = {}): Json => ({
	update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...rest },
});

const tool = (toolCallId: string, rest: Json = {}): Json => ({
	update: { sessionUpdate: "tool_call", toolCallId, title: "Look", kind: "read", ...rest },
});

const usage = { totalTokens: 1_050, inputTokens: 1_000, outputTokens: 50 };

describeAgentContract("the acp adapter", {
	answers: () => fake({ steps: [say(REPORT)] }),
	fails: () => fake({ error: { code: -32_603, message: "Internal error" } }),
	answersNothing: () => fake(),
	reportsNoJson: () => fake({ steps: [say("not { JSON")] }),
	floods: () => fake({ steps: [{ flood: 6_000_000 }, say(REPORT)] }),
	hangs: () =>
		fake({
			steps: [{ shell: `setsid sleep 300 > /dev/null 2>&1 & touch ${HANGING}` }, { hang: true }],
		}),
	leavesChildren: () =>
		fake({
			steps: [{ shell: "(setsid bash -c 'sleep 300 & sleep 300' &); sleep 300 &" }, say(REPORT)],
		}),
	diesHalfWay: () => fake({ steps: [say("Looking."), { kill: "SIGKILL" }] }),
	talksOn: () => fake({ steps: [say(REPORT)], after: [{ pause: 50 }, say(OTHER_REPORT)] }),
	failsHavingSpent: () => fake({ answer: { stopReason: "max_tokens", usage } }),
});

/** A text with this in it; typed as what it stands for. */
const having = (text: string): unknown => expect.stringContaining(text);

const never = new AbortController().signal;
let dir = "";
let log = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-acp-"));
	log = join(dir, "log");
});

afterEach(() => rm(dir, { recursive: true }));

async function outcomeOf(agent: Agent, rest: Partial<AgentCall> = {}): Promise<AgentOutcome> {
	const cwd = join(dir, "checkout");
	await mkdir(cwd, { recursive: true });
	return agent.call(await contractCall(dir, { cwd, ...rest }), never);
}

/** What the fake agent was told, by method. */
async function heard(method: string): Promise<readonly unknown[]> {
	const lines = (await readFile(log, "utf8")).trim().split("\n");
	const all = lines.map((line) => fieldsOf(JSON.parse(line)));
	return all.filter((one) => one["method"] === method).map((one) => one["params"]);
}

const options = ["allow_always", "allow_once", "reject_once"].map((kind) => ({
	kind,
	optionId: kind,
	name: kind,
}));

const ask = (toolCallId: string, rest: Json): Json => ({
	ask: { toolCall: { toolCallId, title: `Do ${toolCallId}`, ...rest }, options },
});

/** The ids of the answers that the agent was given, in order. */
async function answersFor(
	role: AgentCall["role"],
	steps: readonly Json[],
): Promise<readonly unknown[]> {
	await outcomeOf(fake({ log, steps: [...steps, say(REPORT)] }), { role });
	const outcomes = (await heard("answer")).map((answer) => fieldsOf(fieldsOf(answer)["outcome"]));
	return outcomes.map((outcome) => outcome["optionId"] ?? outcome["outcome"]);
}

test("a fresh session in the checkout is prompted, without capabilities or MCP servers", async () => {
	await outcomeOf(fake({ log }));
	const [hello] = await heard("initialize");
	const fs = { readTextFile: false, writeTextFile: false };
	expect(hello).toMatchObject({ protocolVersion: 1, clientCapabilities: { fs, terminal: false } });
	const [session] = await heard("new");
	expect(session).toMatchObject({ cwd: join(dir, "checkout"), mcpServers: [] });
	const prompt = [{ type: "text", text: "Judge." }];
	expect(await heard("prompt")).toEqual([{ sessionId: "s1", prompt }]);
});

test("by key an agent gets a home of its own, by user the stores of the user", async () => {
	const home = join(dir, "call-1", "home");
	const env = { MY_KEY: "k" };
	await outcomeOf(fake({ log }, { login: "key", env, store: { CODEX_HOME: "/mine" } }));
	await outcomeOf(fake({ log }, { store: { CODEX_HOME: "/mine" } }));
	const [byKey, byUser] = await heard("new");
	expect(byKey).toMatchObject({
		env: {
			HOME: home,
			CODEX_HOME: join(home, ".codex"),
			CLAUDE_CONFIG_DIR: join(home, ".claude"),
			GEMINI_CLI_HOME: home,
			XDG_DATA_HOME: join(home, ".local/share"),
			MY_KEY: "k",
			TMPDIR: join(dir, "call-1", "tmp"),
			SPAR_ROLE: "coach",
		},
	});
	expect(byUser).toMatchObject({ env: { CODEX_HOME: "/mine" } });
	expect(fieldsOf(byUser)["env"]).not.toHaveProperty("HOME");
});

test("of a judge the whole message is handed in, of an agent that builds the last object counts", async () => {
	const text = `I ignored ${OTHER_REPORT}:\n${REPORT}`;
	const agent = fake({ steps: [say(text)] });
	expect(await outcomeOf(agent)).toMatchObject({ kind: "answered", report: text });
	expect(await outcomeOf(agent, { role: "player" })).toMatchObject({ report: REPORT });
});

test("what stands in the prompt is not a report", async () => {
	const agent = fake({ steps: [say(REPORT)] });
	const outcome = await outcomeOf(agent, { prompt: `+${REPORT}` });
	expect(outcome).toMatchObject({ kind: "answered", report: null });
	expect(outcome).toHaveProperty("reportProblem");
});

test("the report is what was said after the last tool call", async () => {
	const steps = [
		say('{"decision":"feedback"}'),
		tool("t1"),
		say(REPORT.slice(0, 5)),
		say(REPORT.slice(5)),
		{ update: { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" } },
	];
	expect(await outcomeOf(fake({ steps }))).toMatchObject({ kind: "answered", report: REPORT });
});

test("a call that is only ever updated is a tool call too", async () => {
	const update = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" };
	const steps = [say(REPORT), { update }];
	expect(await outcomeOf(fake({ steps }))).toMatchObject({ kind: "answered", report: null });
});

test("words of the program, of other sessions, of the user and of subagents are no report", async () => {
	const ofSubagent = { _meta: { claudeCode: { parentToolUseId: "t" } } };
	const steps = [
		say(REPORT),
		say("[MODE_UPDATE] plan"),
		say('{"a":1}', ofSubagent),
		{ update: { sessionUpdate: "user_message_chunk", content: { type: "text", text: '{"a":2}' } } },
		{ params: { sessionId: "other", update: say('{"a":3}')["update"] } },
	];
	const outcome = await outcomeOf(fake({ steps }));
	expect(outcome).toMatchObject({ report: REPORT });
	expect(outcome.output).toBe(`${REPORT}\n[spar] [MODE_UPDATE] plan\n`);
});

test("the transcript says why a tool failed", async () => {
	const content = [{ type: "content", content: { type: "text", text: "no such\nfile" } }];
	const failed = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed", content };
	const { output } = await outcomeOf(fake({ steps: [tool("t1"), { update: failed }] }));
	expect(output).toBe("[tool read] Look\n[tool read] Look (failed): no such file\n");
});

test("the transcript tells what was said, thought, done and complained of", async () => {
	const thought = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } };
	const steps = [
		say("I "),
		say("look."),
		{ update: thought },
		tool("t1", { status: "pending" }),
		ask("t2", { kind: "edit" }),
		say("Done."),
		{ stderr: "warning: old\n" },
	];
	const { output } = await outcomeOf(fake({ steps }));
	expect(output.split("\n")).toEqual([
		"I look.",
		"[thought] Hm.",
		"[tool read] Look (pending)",
		"[tool edit] Do t2",
		"[permission edit] Do t2: refused: this seat only reads",
		"Done.",
		"[stderr]",
		"warning: old",
		"",
	]);
});

thorough("a final message that is longer than any report is not a report", async () => {
	const outcome = await outcomeOf(fake({ steps: [{ babble: 5_000_000 }, say(REPORT)] }));
	expect(outcome).toMatchObject({ kind: "answered", report: null });
	expect(outcome).toHaveProperty("reportProblem");
});

thorough("a transcript is capped, whatever is said on either output", async () => {
	const steps = [{ babble: 5_000_000 }, { shell: "head -c 5000000 /dev/zero | tr '\\0' x >&2" }];
	const outcome = await outcomeOf(fake({ steps: [...steps, tool("t1"), say(REPORT)] }));
	expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
	expect(outcome.output.length).toBeLessThan(2_001_000);
});

test("a player may change files of its checkout and run commands, once at a time", async () => {
	const inside = join(dir, "checkout", "a.ts");
	const answers = await answersFor("player", [
		ask("e1", { kind: "edit", locations: [{ path: inside }] }),
		ask("e2", { kind: "edit", locations: [{ path: "/etc/passwd" }] }),
		ask("e3", { kind: "edit", rawInput: { file_path: "../outside.ts" } }),
		ask("e4", { kind: "execute", rawInput: { command: "npm test" } }),
		ask("e5", { kind: "launch" }),
	]);
	const [yes, no] = ["allow_once", "reject_once"];
	expect(answers).toEqual([yes, no, no, yes, no]);
});

test("a verifier may change files of its checkout and run nothing", async () => {
	const answers = await answersFor("verifier", [
		ask("e1", { kind: "edit", content: [{ type: "diff", path: "a.ts", newText: "" }] }),
		ask("e2", { kind: "edit", content: [{ type: "diff", path: ".git/config", newText: "" }] }),
		ask("e3", { kind: "execute", rawInput: { command: "ls" } }),
	]);
	expect(answers).toEqual(["allow_once", "reject_once", "reject_once"]);
});

test("a coach may read its checkout and its call's files, and nothing else", async () => {
	const context = join(dir, "call-1", "context.json");
	const answers = await answersFor("coach", [
		ask("e1", { kind: "read", locations: [{ path: context }] }),
		ask("e2", { kind: "read", locations: [{ path: "/etc/passwd" }] }),
		ask("e3", { kind: "edit", locations: [{ path: "a.ts" }] }),
		ask("e4", { kind: "fetch" }),
		ask("e5", {}),
	]);
	expect(answers).toEqual(["allow_once", ...Array.from({ length: 4 }, () => "reject_once")]);
});

test("a coach's permission request is judged by what it does, whatever kind it claims", async () => {
	const inside = join(dir, "checkout", "f.txt");
	const diff = [{ type: "diff", path: inside, oldText: "a", newText: "b" }];
	const edit = tool("c1", { kind: "edit", locations: [{ path: inside }] });
	const answers = await answersFor("coach", [
		edit,
		ask("c1", { kind: "read", locations: [{ path: inside }] }),
		ask("c2", { kind: "think", content: diff }),
		ask("c3", { kind: "read", rawInput: { target: "/etc/shadow" } }),
		ask("c4", { kind: "read", rawInput: { nested: { path: "/etc/shadow" } } }),
		ask("c5", { kind: "search", rawInput: { command: "rm -rf x" } }),
		ask("c6", { kind: "read", rawInput: { content: "/etc/shadow" } }),
		ask("c7", { kind: "search", rawInput: { pattern: "a", path: inside } }),
	]);
	const refused = Array.from({ length: 6 }, () => "reject_once");
	expect(answers).toEqual([...refused, "allow_once"]);
});

test("texts of an edit are not paths, however they begin", async () => {
	const inside = join(dir, "checkout", "a.ts");
	const rawInput = { file_path: inside, old_string: "// a", new_string: "/* b */" };
	const steps = [ask("e1", { kind: "edit", rawInput })];
	expect(await answersFor("verifier", steps)).toEqual(["allow_once"]);
});

test("what was told of a call before counts when permission is asked for it", async () => {
	const told = tool("t1", { kind: "edit", locations: [{ path: "/etc/passwd" }] });
	const answers = await answersFor("player", [told, ask("t1", { locations: [{ path: "a.ts" }] })]);
	expect(answers).toEqual(["reject_once"]);
});

test("a permission request without a particular kind is for what was told before", async () => {
	const context = join(dir, "call-1", "context.json");
	const answers = await answersFor("coach", [
		tool("t1"),
		ask("t1", { kind: "other", locations: [{ path: context }] }),
		ask("t2", { kind: "other", locations: [{ path: context }] }),
	]);
	expect(answers).toEqual(["allow_once", "reject_once"]);
});

test("an agent that takes further directories is shown that of its call", async () => {
	const agentCapabilities = { sessionCapabilities: { additionalDirectories: {} } };
	await outcomeOf(fake({ log, initialize: { agentCapabilities } }));
	expect(await heard("new")).toMatchObject([{ additionalDirectories: [join(dir, "call-1")] }]);
});

test("a request that offers no way to refuse is called off", async () => {
	const always = [{ kind: "allow_always", optionId: "a", name: "a" }];
	const answers = await answersFor("player", [
		{ ask: { toolCall: { toolCallId: "t1", title: "Run", kind: "execute" }, options: always } },
		{ ask: { toolCall: { toolCallId: "t2", title: "Run", kind: "execute" }, options: [] } },
	]);
	expect(answers).toEqual(["cancelled", "cancelled"]);
});

test("files are written for a player inside its checkout only, whatever links say", async () => {
	const checkout = join(dir, "checkout");
	await mkdir(checkout);
	await symlink(dir, join(checkout, "out"));
	await symlink(join(dir, "later"), join(checkout, "dangling"));
	const paths = ["new/deep/a.ts", "../b.ts", "out/c.ts", "dangling", ".git/hooks/x", "/etc/spar"];
	const steps = paths.map((path) => ({ write: { path, content: "hi\n" } }));
	await outcomeOf(fake({ log, steps }), { role: "player" });
	const written = await heard("written");
	expect(written.map((answer) => answer === true)).toEqual([
		true,
		...paths.slice(1).map(() => false),
	]);
	expect(await readFile(join(checkout, "new/deep/a.ts"), "utf8")).toBe("hi\n");
	for (const path of ["b.ts", "c.ts", "later"]) {
		await expect(readFile(join(dir, path))).rejects.toThrow("ENOENT");
	}
});

test("no file is written for a coach, and there is no terminal for anybody", async () => {
	const steps = [{ write: { path: "a.ts", content: "" } }, { call: "terminal/create" }];
	await outcomeOf(fake({ log, steps }));
	expect(await heard("written")).toEqual([having("may not be written")]);
	expect(await heard("called")).toEqual([-32_601]);
	await expect(readFile(join(dir, "checkout", "a.ts"))).rejects.toThrow("ENOENT");
});

test.each([
	["refusal", "content_policy"],
	["max_tokens", "context_limit"],
	["max_turn_requests", "tool_error"],
	["cancelled", "tool_error"],
	["perhaps", "unknown"],
])("a turn that ends with %s is %s", async (stopReason, failure) => {
	const outcome = await outcomeOf(fake({ answer: { stopReason } }));
	expect(outcome).toMatchObject({ kind: "failed", failure });
});

test.each(["end_turn", "cancelled"])(
	"%s after a refusal, without a word, is no answer",
	async (stopReason) => {
		const steps = [say(REPORT), ask("t1", { kind: "edit" })];
		const outcome = await outcomeOf(fake({ steps, answer: { stopReason } }));
		const message = "node ended its turn after a refused permission: Do t1 (this seat only reads)";
		expect(outcome).toMatchObject({ kind: "failed", failure: "tool_error", message });
	},
);

test.each([
	[{ code: 429, message: "Slow down" }, "rate_limit"],
	[{ code: -32_603, message: "Internal error", data: { errorKind: "rate_limit" } }, "rate_limit"],
	[
		{ code: -32_603, message: "Internal error", data: { errorKind: "server_error" } },
		"unavailable",
	],
	[
		{ code: -32_603, message: "Internal error", data: { details: "prompt is too long" } },
		"context_limit",
	],
	[{ code: 401, message: "bad key" }, "signed_out"],
])("the error %j is %s", async (error, failure) => {
	expect(await outcomeOf(fake({ error }))).toMatchObject({ kind: "failed", failure });
});

test("an agent that is not signed in says so, and by user it is not signed in by us", async () => {
	const initialize = { authMethods: [{ id: "api-key", name: "API key" }] };
	const outcome = await outcomeOf(fake({ log, needsKey: "api-key", initialize }));
	expect(outcome).toMatchObject({
		failure: "unknown",
		message: having("not signed in"),
	});
	expect(await heard("authenticate")).toEqual([]);
});

test("by key the ways to sign in that take a key are tried", async () => {
	const names = ["browser", "old-api-key", "new-api-key"];
	const initialize = { authMethods: names.map((id) => ({ id, name: id })) };
	const script = { log, needsKey: "new-api-key", initialize, steps: [say(REPORT)] };
	expect(await outcomeOf(fake(script, { login: "key" }))).toMatchObject({ report: REPORT });
	expect((await heard("authenticate")).map((params) => fieldsOf(params)["methodId"])).toEqual(
		names.slice(1),
	);
});

const modelOption = (currentValue: string): Json => ({
	id: "model",
	name: "Model",
	category: "model",
	type: "select",
	currentValue,
	options: [
		{
			group: "g",
			name: "G",
			options: [
				{ value: "big", name: "Big" },
				{ value: "small", name: "S" },
			],
		},
	],
});

test("the model is chosen by an option, and named in the usage", async () => {
	const session = { configOptions: [modelOption("small")] };
	const script = { log, session, configAfter: [modelOption("big")], answer: { usage } };
	const outcome = await outcomeOf(fake(script, { model: "big" }));
	expect(await heard("config")).toEqual([{ sessionId: "s1", configId: "model", value: "big" }]);
	const spent = { inputTokens: 1_000, outputTokens: 50, costUsd: null, model: "big" };
	expect(outcome).toMatchObject({ kind: "answered", usage: spent });
});

test("a model that is not offered, or not set, fails the call and lists what is offered", async () => {
	const session = { configOptions: [modelOption("small")] };
	const other = await outcomeOf(fake({ session }, { model: "huge" }));
	const message = "node offers no model huge, only big, small";
	expect(other).toMatchObject({ kind: "failed", failure: "unknown", message });
	const stubborn = await outcomeOf(fake({ session }, { model: "big" }));
	expect(stubborn).toMatchObject({ kind: "failed", failure: "unknown" });
	const silent = await outcomeOf(fake({ log }, { model: "big" }));
	expect(silent).toMatchObject({
		kind: "failed",
		message: having("no choice of models"),
	});
	expect(await heard("prompt")).toEqual([]);
});

test("a model is chosen by the older request where only that is offered", async () => {
	const models = {
		currentModelId: "a",
		availableModels: [
			{ modelId: "a", name: "A" },
			{ modelId: "b", name: "B" },
		],
	};
	await outcomeOf(fake({ log, session: { models } }, { model: "b" }));
	expect(await heard("model")).toEqual([{ sessionId: "s1", modelId: "b" }]);
});

test("a seat that only reads enters a reading mode where one is offered", async () => {
	const availableModes = ["default", "plan", "yolo"].map((id) => ({ id, name: id }));
	const session = { modes: { currentModeId: "default", availableModes } };
	await outcomeOf(fake({ log, session }));
	await outcomeOf(fake({ log, session }), { role: "player" });
	expect(await heard("mode")).toEqual([{ sessionId: "s1", modeId: "plan" }]);
});

test("an agent of another protocol version is not talked to", async () => {
	const outcome = await outcomeOf(fake({ log, initialize: { protocolVersion: 2 } }));
	const message = "node speaks version 2 of the Agent Client Protocol, not version 1";
	expect(outcome).toMatchObject({ kind: "failed", failure: "unknown", message });
	expect(await heard("new")).toEqual([]);
});

thorough("a program that never answers is named with what it did not answer", async () => {
	const outcome = await outcomeOf(fake({ silent: true }), { timeoutMs: 500 });
	const message = "node did not answer initialize within 0.5 s";
	expect(outcome).toMatchObject({ kind: "failed", failure: "timeout", message });
});

test("a program that cannot be started is unknown", async () => {
	const agent = acpAgent({ run: ["/no/such/agent"], login: "user", env: {}, host: bareHost });
	const message = "agent could not be started: the program is missing";
	expect(await outcomeOf(agent)).toMatchObject({ kind: "failed", failure: "unknown", message });
});

test.each([
	["echo first >&2; printf '\\033[31mno disk\\n' >&2; exit 3", "tool_error", "exited with code 3"],
	["echo '429 too many requests' >&2; exit 1", "rate_limit", "exited with code 1"],
	["exec >&-; exec 2>&-; sleep 300", "tool_error", "closed its output"],
])("a program that goes is a failure: %s", async (text, failure, what) => {
	const outcome = await outcomeOf(bash(text));
	expect(outcome).toMatchObject({
		kind: "failed",
		failure,
		message: having(what),
	});
});

test("a crash in mid-turn names exit code and last words", async () => {
	const steps = [say("Working."), { stderr: "out of cheese\n" }, { exit: 7 }];
	expect(await outcomeOf(fake({ steps }))).toMatchObject({
		kind: "failed",
		failure: "tool_error",
		message: "node exited with code 7 before it answered session/prompt: out of cheese",
		output: "Working.\n[stderr]\nout of cheese\n",
	});
});

thorough("what is told after the turn's end counts for nothing", async () => {
	const late = (what: Json): string =>
		`${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", ...what } })}\n`;
	const other = '{"decision":"feedback"}';
	for (const what of [say(other), tool("t1")]) {
		const after = [{ pause: 50 }, { raw: late(what) }];
		const outcome = await outcomeOf(fake({ steps: [say(REPORT)], after }));
		expect(outcome).toMatchObject({ kind: "answered", report: REPORT, output: REPORT });
	}
});

thorough(
	"a tool for which permission is asked ends the message before it, though nobody waits",
	async () => {
		const asked = { jsonrpc: "2.0", id: "x", method: "session/request_permission" };
		const toolCall = { toolCallId: "t1", kind: "read" };
		const raw = `${JSON.stringify({ ...asked, params: { toolCall, options } })}\n`;
		const outcome = await outcomeOf(fake({ steps: [say(REPORT), { raw }] }));
		expect(outcome).toMatchObject({ kind: "answered", report: null });
		const params = { sessionId: "s1", ...say(REPORT) };
		const said = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`;
		expect(await outcomeOf(fake({ steps: [{ raw: raw + said }] }))).toMatchObject({
			report: REPORT,
		});
	},
);

thorough(
	"an agent that floods us with questions is ended, and no timeout is stretched",
	async () => {
		const locations = Array.from({ length: 90 }, (_, at) => ({ path: `x${at}/y` }));
		const toolCall = { toolCallId: "t", kind: "read", locations };
		const question = JSON.stringify({ jsonrpc: "2.0", method: "session/request_permission" });
		const params = JSON.stringify({ sessionId: "s1", toolCall, options });
		const text = `${question.slice(0, -1)},"id":ID,"params":${params}}`;
		const outcome = await outcomeOf(fake({ steps: [{ floodOf: text }] }), { timeoutMs: 30_000 });
		expect(outcome).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			message: "node asked for permission or files more than 1000 times in one turn",
		});
		expect(outcome.ms).toBeLessThan(20_000);
	},
);

test("what is not a message is ignored, whatever its shape", async () => {
	const hostile = [
		"Welcome!",
		"[1,2]",
		"null",
		'{"jsonrpc":"2.0","id":99,"result":1}',
		'{"jsonrpc":"1.0"}',
		'{"jsonrpc":"2.0","method":"session/update"}',
		'{"jsonrpc":"2.0","method":5,"id":null}',
		'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":null}}',
		'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","locations":[null,7,{"path":{}}],"rawInput":[]}}}',
		'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":[5]}}}',
		'{"jsonrpc":"2.0","id":"x","method":"session/request_permission","params":null}',
	];
	const steps = [{ raw: `${hostile.join("\n")}\n` }, say(REPORT)];
	expect(await outcomeOf(fake({ steps }))).toMatchObject({ kind: "answered", report: REPORT });
});

thorough("at its timeout a turn is called off, and what it used up is kept", async () => {
	const steps = [say("Hm."), { untilCancelled: true }];
	const agent = fake({ log, steps, answer: { stopReason: "cancelled", usage } });
	const outcome = await outcomeOf(agent, { timeoutMs: 1_500 });
	expect(outcome).toMatchObject({ kind: "failed", failure: "timeout", output: "Hm." });
	expect(outcome.usage).toMatchObject({ inputTokens: 1_000 });
	expect(await heard("cancel")).toEqual([{ sessionId: "s1" }]);
});

test("an aborted turn is called off before the program ends", async () => {
	const controller = new AbortController();
	const up = join(dir, "up");
	const agent = fake({ log, steps: [{ shell: `touch ${up}` }, { untilCancelled: true }] });
	const running = agent.call(await contractCall(dir), controller.signal);
	const seen = async (): Promise<void> => {
		await expect
			.poll(
				() =>
					readFile(up).then(
						() => true,
						() => false,
					),
				{ timeout: 10_000 },
			)
			.toBe(true);
	};
	await seen();
	controller.abort(new Error("stop"));
	await expect(running).rejects.toThrow("stop");
	expect(await heard("cancel")).toEqual([{ sessionId: "s1" }]);
});

test("a sandbox leaves a coach nothing of its checkout to write, and shows stores only to a user's sign-in", async () => {
	const asked: Pick<ProcessRequest, "writable" | "readable">[] = [];
	const host = {
		...bareHost,
		open: (...[request, signal]: Parameters<typeof bareHost.open>) => {
			asked.push({ writable: request.writable ?? [], readable: request.readable ?? [] });
			return bareHost.open(request, signal);
		},
	};
	await outcomeOf(fake({}, { host, readable: ["/store"] }));
	await outcomeOf(fake({}, { host, login: "key", readable: ["/store"] }), { role: "player" });
	const own = [join(dir, "call-1", "home"), join(dir, "call-1", "tmp")];
	expect(asked).toEqual([
		{ writable: own, readable: ["/store"] },
		{ writable: [join(dir, "checkout"), ...own], readable: [] },
	]);
});
