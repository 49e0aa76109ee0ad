import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../../test/support/amount.ts";
import type { ProcessResult } from "../../process/process.ts";
import { describeAgentContract } from "../agent.contract.ts";
import { endOf, harnessMakers } from "../harness/fake-harness.fixture.ts";
import type { HarnessEnd, HarnessExit, HarnessLook } from "../harness/harness.ts";
import { codex } from "./codex.ts";

const begun = [{ type: "thread.started", thread_id: "1" }, { type: "turn.started" }];

describeAgentContract(
	"the codex adapter",
	harnessMakers(codex, {
		answered: (text) => [
			...begun,
			{ type: "item.completed", item: { id: "1", type: "agent_message", text } },
			{ type: "turn.completed", usage: { input_tokens: 9, output_tokens: 4 } },
		],
		failed: [...begun, { type: "turn.failed", error: { message: "unexpected status 500" } }],
		tellsNoTokens: "codex tells no tokens of a turn that failed",
	}),
	["failsHavingSpent"],
	thorough,
);

function look(printed: Partial<ProcessResult>, rest: Partial<HarnessLook> = {}): HarnessLook {
	const ran: ProcessResult = {
		exitCode: 0,
		signal: null,
		timedOut: false,
		started: true,
		startError: null,
		stdout: "",
		stderr: "",
		output: "",
		startedAt: 0,
		ms: 1,
		...printed,
	};
	return { run: () => Promise.resolve(ran), env: {}, login: "user", named: [], ...rest };
}

test.each([
	[0, "Logged in using ChatGPT", true, "signed in with an account"],
	[0, "API key configured - sk-a***b", true, "signed in by key"],
	[1, "WARNING: x\nNot logged in", false, "not signed in"],
	[1, "Error loading configuration", "warn", "cannot tell whether it is signed in"],
])("with login: user, `codex login status` ending with %s and %j is %s", async (...row) => {
	const [exitCode, stderr, ok, detail] = row;
	const found = await codex.signIn(look({ exitCode, stderr }));
	expect(found).toMatchObject({ ok, detail });
	expect(found.fix === null).toBe(ok === true);
});

test("a key that the workflow passes on wins, and with login: key it is the only way in", async () => {
	const run = () => Promise.reject(new Error("ran"));
	const named = ["OPENAI_API_KEY"];
	const keyed = look({}, { run, named, env: { OPENAI_API_KEY: "k" } });
	expect(await codex.signIn(keyed)).toMatchObject({ ok: true, detail: "OPENAI_API_KEY is set" });
	expect(await codex.signIn({ ...keyed, login: "key" })).toMatchObject({ ok: true });
	expect(await codex.signIn({ ...keyed, login: "key", env: {} })).toMatchObject({ ok: false });
});

/** Outcome of a recorded stream; `exit` says how its program ended. */
function recorded(name: string, exit: Partial<HarnessExit> = {}): HarnessEnd {
	const folder = join(import.meta.dirname, "../../../test/fixtures/harness");
	return endOf(codex, readFileSync(join(folder, `codex.${name}.jsonl`), "utf8"), exit);
}

const message = (text: unknown) => ({
	type: "item.completed",
	item: { type: "agent_message", text },
});
const completed = { type: "turn.completed", usage: { input_tokens: 3, output_tokens: 2 } };
const failed = (text: string) => ({ type: "turn.failed", error: { message: text } });

const REPORT = {
	decision: "approve",
	rationale: "fine",
	requirements_status: [],
	findings_status: [],
	feedback_items: [],
};

describe("recorded calls", () => {
	test("the last agent message is the final one, with tokens but neither cost nor model", () => {
		for (const name of ["report", "edit"]) {
			expect(recorded(name)).toEqual({
				kind: "answered",
				message: { text: JSON.stringify(REPORT) },
				spent: {
					inputTokens: 2_000,
					cacheReadTokens: 0,
					cacheWriteTokens: 0,
					outputTokens: 100,
					costUsd: null,
					model: null,
				},
			});
		}
	});

	test("refused commands fail nothing, and a turn without a message is answered with none", () => {
		expect(recorded("refused").kind).toBe("answered");
		expect(recorded("empty")).toMatchObject({ kind: "answered", message: { text: "" } });
	});

	test.each([
		["rate-limit", "rate_limit", "last status: 429 Too Many Requests"],
		["overloaded", "unavailable", "Overloaded"],
		["quota", "rate_limit", "last status: 429 Too Many Requests"],
		["server-error", "unavailable", "high demand"],
		["cut", "network", "stream disconnected before completion"],
		["unauthorized", "signed_out", "401 Unauthorized"],
		["too-long", "context_limit", "prompt is too long"],
	])("%s fails as %s", (name, failure, said) => {
		const end = recorded(name, { exitCode: 1 });
		expect(end).toMatchObject({ kind: "failed", failure, spent: null });
		expect(end.kind === "failed" && end.message).toContain(said);
	});

	test("a call that was killed is a tool error", () => {
		expect(recorded("killed", { exitCode: null, signal: "SIGTERM" })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			message: "codex was ended by SIGTERM without a result",
		});
	});
});

describe("ends", () => {
	test("an exit code of 0 without a completed turn is not an answer", () => {
		expect(endOf(codex, [message("done")]).kind).toBe("failed");
		expect(endOf(codex, [failed("x"), { type: "turn.started" }]).kind).toBe("failed");
		expect(endOf(codex, [failed("x"), completed]).kind).toBe("failed");
	});

	test.each(["command_execution", "file_change", "mcp_tool_call", "web_search", "new_tool"])(
		"a message from before a %s is not the final one",
		(type) => {
			for (const news of ["item.started", "item.updated", "item.completed"]) {
				const events = [message("early"), { type: news, item: { type } }, completed];
				expect(endOf(codex, events)).toMatchObject({ message: { text: "" } });
			}
		},
	);

	test("thoughts and lists of things to do after it leave the final message as it is", () => {
		const items = ["reasoning", "todo_list", "error"].map((type) => ({
			type: "item.completed",
			item: { type },
		}));
		expect(endOf(codex, [message("fin"), ...items, completed])).toMatchObject({
			message: { text: "fin" },
		});
	});

	test("a message of another turn is not the final one", () => {
		const started = { type: "turn.started" };
		expect(endOf(codex, [message("early"), failed("x"), started, completed])).toMatchObject({
			kind: "answered",
			message: { text: "" },
		});
		expect(endOf(codex, [message("early"), started, completed])).toMatchObject({
			message: { text: "" },
		});
	});

	test("what comes after the end of the turn changes nothing, its usage included", () => {
		const after = [message("late"), { type: "turn.completed" }, { type: "turn.started" }];
		const end = endOf(codex, [message("fin"), completed, ...after, failed("x")]);
		expect(end).toMatchObject({ kind: "answered", message: { text: "fin" } });
		expect(end.spent).toMatchObject({ inputTokens: 3, outputTokens: 2 });
	});

	test("a count of tokens that cannot be is unknown", () => {
		const usage = { input_tokens: -5, output_tokens: 1e300, cached_input_tokens: "x" };
		expect(endOf(codex, [message("fin"), { ...completed, usage }]).spent).toBeNull();
	});

	test("an error on the way ends nothing", () => {
		const error = { type: "error", message: "Reconnecting... 1/5" };
		expect(endOf(codex, [error, message("fin"), completed]).kind).toBe("answered");
	});

	test("nothing was answered by a program that ended badly after its turn", () => {
		expect(endOf(codex, [message("fin"), completed], { exitCode: 3 })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			spent: { inputTokens: 3 },
			message: "codex exited with code 3 after its result",
		});
	});

	test("only an agent's message is one", () => {
		const item = { type: "command_execution", text: '{"decision":"approve"}' };
		expect(endOf(codex, [{ type: "item.completed", item }, completed])).toMatchObject({
			message: { text: "" },
		});
		expect(endOf(codex, [message("first"), message(null), completed])).toMatchObject({
			message: { text: "" },
		});
	});

	test.each([
		["You've hit your usage limit. Try again in 3 days 1 hour.", "quota_exhausted", 262_800_000],
		["Rate limit reached for x. Please try again in 1.5s.", "rate_limit", 1_500],
		["unexpected status 404 Not Found: no such model", "unknown", undefined],
		['{"error":{"message":"Your input exceeds the context window"}}', "context_limit", undefined],
	])("%s is %s", (text, failure, retryAfterMs) => {
		const end = endOf(codex, [failed(text)], { exitCode: 1 });
		expect(end).toMatchObject({ kind: "failed", failure });
		expect(end.kind === "failed" && end.retryAfterMs).toBe(retryAfterMs);
	});

	test("an error that is JSON is quoted by its message", () => {
		const end = endOf(codex, [failed('{\n"error": {"message": "bad schema"}\n}')], { exitCode: 1 });
		expect(end).toMatchObject({ message: "codex failed: bad schema" });
	});
});

test("events of any shape neither throw nor approve", () => {
	const key = fc.constantFrom("type", "item", "text", "message", "error", "usage", "input_tokens");
	const types = ["turn.completed", "turn.failed", "item.completed", "error", "agent_message"];
	const value = fc.oneof(
		fc.jsonValue(),
		fc.constantFrom(...types, null, -1),
		fc.dictionary(key, fc.jsonValue()),
	);
	const event = fc.oneof(fc.anything(), fc.dictionary(key, value));
	fc.assert(
		fc.property(fc.array(event), (events) => {
			const end = endOf(codex, events);
			const good = events.some((one) => String(JSON.stringify(one)).includes("turn.completed"));
			expect(end.kind === "failed" || good).toBe(true);
		}),
		{ numRuns: amount(500) },
	);
});
