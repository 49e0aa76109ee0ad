import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../../test/support/amount.ts";
import { systemClock } from "../../kernel/clock.ts";
import { endOf } from "../harness/fake-harness.fixture.ts";
import type { HarnessEnd, HarnessExit } from "../harness/harness.ts";
import { claude } from "./claude.ts";

/** What came of a recorded stream; `exit` says how its program ended. */
function recorded(name: string, exit: Partial<HarnessExit> = {}, now = 0): HarnessEnd {
	const folder = join(import.meta.dirname, "../../../test/fixtures/harness");
	return endOf(claude, readFileSync(join(folder, `claude.${name}.jsonl`), "utf8"), exit, now);
}

const result = (rest: object = {}) => ({
	type: "result",
	subtype: "success",
	is_error: false,
	terminal_reason: "completed",
	result: "fin",
	usage: { input_tokens: 10, output_tokens: 5 },
	...rest,
});

const REPORT = {
	decision: "approve",
	rationale: "fine",
	requirements_status: [],
	findings_status: [],
	feedback_items: [],
};

describe("recorded calls", () => {
	test("structured output is the message, with tokens, cost and model", () => {
		expect(recorded("report")).toEqual({
			kind: "answered",
			message: { structured: REPORT },
			spent: {
				inputTokens: 2_000,
				cacheReadTokens: 0,
				cacheWriteTokens: 0,
				outputTokens: 100,
				costUsd: 0.005,
				model: "claude-sonnet-5",
			},
		});
	});

	test("without structured output the final text is the message", () => {
		expect(recorded("prose")).toMatchObject({ message: { text: "It is fine." } });
		expect(recorded("edit")).toMatchObject({ message: { text: JSON.stringify(REPORT) } });
		expect(recorded("empty")).toMatchObject({ kind: "answered", message: { text: "" } });
	});

	test("a turn that only lacks a report of the right form is answered with one that is none", () => {
		expect(recorded("unfit-report", { exitCode: 1 })).toMatchObject({
			kind: "answered",
			message: { text: "The report did not match its schema." },
			spent: { inputTokens: 6_000, outputTokens: 300 },
		});
	});

	test("refused tools fail nothing", () => {
		expect(recorded("refused").kind).toBe("answered");
	});

	test.each([
		["rate-limit", "rate_limit", "API Error: Request rejected (429) · mock 429"],
		["overloaded", "unavailable", "API Error: 529 Overloaded"],
		["quota", "quota_exhausted", "exceeded your current quota"],
		["usage-limit", "quota_exhausted", "You've hit your 5-hour limit"],
		["server-error", "unavailable", "API Error: 500 mock 500"],
		["cut", "network", "Connection dropped (ECONNRESET)"],
		["unauthorized", "signed_out", "Invalid API key"],
		["too-long", "context_limit", "Prompt is too long"],
	])("%s fails as %s", (name, failure, said) => {
		const end = recorded(name, { exitCode: 1 });
		expect(end).toMatchObject({ kind: "failed", failure });
		expect(end.kind === "failed" && end.message).toContain(said);
	});

	test("what was spent before a request failed is kept, cached tokens included", () => {
		expect(recorded("server-error", { exitCode: 1 }).spent).toMatchObject({
			inputTokens: 1_200,
			cacheReadTokens: 200,
			outputTokens: 50,
			costUsd: 0.00254,
		});
		expect(recorded("unauthorized", { exitCode: 1 }).spent).toBeNull();
	});

	test("a call that was killed is a tool error, with the tokens that it was given", () => {
		const killed = recorded("killed", { exitCode: 143, stderr: "warning\nTerminated\n" });
		expect(killed).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			message: "claude exited with code 143 without a result: Terminated",
			spent: { inputTokens: 1_000, outputTokens: null, costUsd: null, model: "claude-sonnet-5" },
		});
	});
});

describe("ends", () => {
	test.each([
		["an error", { is_error: true }],
		["no word on errors", { is_error: undefined }],
		["another subtype", { subtype: "error_during_execution" }],
		["another reason", { terminal_reason: "aborted_streaming" }],
		["a reason that is no text", { terminal_reason: 1 }],
		["a refusal", { stop_reason: "refusal" }],
	])("a result with %s is not an answer", (_name, rest) => {
		expect(endOf(claude, [result(rest)]).kind).toBe("failed");
	});

	test("older versions name no reason", () => {
		expect(endOf(claude, [result({ terminal_reason: undefined })]).kind).toBe("answered");
	});

	test("nothing was answered by a program that ended badly after its result", () => {
		expect(endOf(claude, [result()], { exitCode: null, signal: "SIGKILL" })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			spent: { inputTokens: 10 },
			message: "claude was ended by SIGKILL after its result",
		});
	});

	test.each([
		[{ subtype: "error_max_turns" }, "unknown"],
		[{ subtype: "error_max_budget_usd" }, "quota_exhausted"],
		[{ subtype: "error_during_execution" }, "tool_error"],
		[{ terminal_reason: "aborted_streaming" }, "tool_error"],
		[{ stop_reason: "refusal" }, "content_policy"],
		[{ stop_reason: "model_context_window_exceeded" }, "context_limit"],
		[{ stop_reason: "max_tokens" }, "context_limit"],
		[{ is_error: true, api_error_status: 402 }, "quota_exhausted"],
		[{ is_error: true, result: "who knows" }, "unknown"],
	])("%j is %s", (rest, failure) => {
		expect(endOf(claude, [result(rest)])).toMatchObject({ kind: "failed", failure });
	});

	test("a limit that was reached makes a spent quota of a rate limit, until it is lifted", () => {
		const told = (status: string) => ({ type: "rate_limit_event", rate_limit_info: { status } });
		const failed = result({ is_error: true, api_error_status: 429, result: "no more" });
		const failureAfter = (...events: object[]) => {
			const end = endOf(claude, [...events, failed]);
			return end.kind === "failed" && end.failure;
		};
		expect(failureAfter(told("rejected"))).toBe("quota_exhausted");
		expect(failureAfter(told("rejected"), told("allowed_warning"))).toBe("rate_limit");
	});

	test("a limit that was reached says when it is lifted", () => {
		const told = (resetsAt: unknown) => ({
			type: "rate_limit_event",
			rate_limit_info: { status: "rejected", resetsAt },
		});
		const failed = result({ is_error: true, api_error_status: 429, result: "no more" });
		const waitFor = (resetsAt: unknown, last: object = failed): number | undefined => {
			const end = endOf(claude, [told(resetsAt), last], {}, 1_000_000_000);
			return end.kind === "failed" ? end.retryAfterMs : undefined;
		};
		expect(waitFor(1_003_600)).toBe(3_600_000);
		expect(waitFor(999_000)).toBe(0);
		for (const odd of [undefined, "soon", -1]) expect(waitFor(odd)).toBeUndefined();
		expect(waitFor(1_003_600, result({ is_error: true, result: "who knows" }))).toBeUndefined();
		expect(
			recorded("usage-limit", { exitCode: 1 }, Date.parse("2026-11-22T02:19:40Z")),
		).toMatchObject({ failure: "quota_exhausted", retryAfterMs: 1_200_000 });
		expect(
			recorded("usage-limit", { exitCode: 1 }, Date.parse("2026-11-22T02:39:00Z")),
		).toMatchObject({ failure: "rate_limit", retryAfterMs: 40_000 });
	});

	test("the words of a program that broke off prove no refusal and no spent quota", () => {
		const broke = (said: string) => {
			const end = endOf(claude, [result({ subtype: "error_during_execution", result: said })]);
			return end.kind === "failed" && end.failure;
		};
		expect(broke("insufficient_quota.js: refusal of the content filter")).toBe("tool_error");
		expect(broke("read ECONNRESET")).toBe("network");
	});

	test("an end of the reply that is not an answer is named", () => {
		expect(endOf(claude, [result({ stop_reason: "max_tokens", result: "" })])).toMatchObject({
			message: "claude failed (max_tokens)",
		});
	});

	test("what comes after the result does not count, but for the result of another turn", () => {
		const init = { type: "system", subtype: "init" };
		const [first, second] = [result({ result: "first" }), result({ result: "second" })];
		expect(endOf(claude, [first, second])).toMatchObject({ message: { text: "first" } });
		expect(endOf(claude, [result({ is_error: true }), second]).kind).toBe("failed");
		expect(endOf(claude, [first, init, second])).toMatchObject({ message: { text: "second" } });
		expect(endOf(claude, [first, init]).kind).toBe("failed");
	});
});

describe("tokens", () => {
	test("those of all models are added up, and the one that wrote the most is named", () => {
		const modelUsage = {
			small: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3 },
			"claude-opus-4-8[1m]": { inputTokens: 10, outputTokens: 20, cacheCreationInputTokens: 30 },
		};
		expect(endOf(claude, [result({ modelUsage, total_cost_usd: 0.5 })]).spent).toEqual({
			inputTokens: 44,
			outputTokens: 22,
			cacheReadTokens: null,
			cacheWriteTokens: null,
			costUsd: 0.5,
			model: "claude-opus-4-8",
		});
	});

	test("a count that one model lacks makes the sum unknown", () => {
		const modelUsage = { a: { inputTokens: 1, outputTokens: 2 }, b: { inputTokens: 3 } };
		expect(endOf(claude, [result({ modelUsage })]).spent).toMatchObject({
			inputTokens: 4,
			outputTokens: null,
		});
	});

	test("a reply that comes in pieces counts once, and an error that was put in its place not at all", () => {
		const piece = (id: string, model = "m") => ({
			type: "assistant",
			message: { id, model, usage: { input_tokens: 7, cache_read_input_tokens: 1 } },
		});
		const events = [piece("1"), piece("2"), piece("1"), piece("3", "<synthetic>")];
		expect(endOf(claude, events, { exitCode: 1 }).spent).toMatchObject({
			inputTokens: 16,
			cacheReadTokens: 2,
			outputTokens: null,
			model: "m",
		});
	});
});

/** What an event looks like as text. */
const textOf = (event: unknown): string => String(JSON.stringify(event));

test("events of any shape neither throw nor approve", () => {
	const key = fc.constantFrom(
		"type",
		"subtype",
		"is_error",
		"result",
		"message",
		"usage",
		"modelUsage",
		"errors",
		"rate_limit_info",
		"api_error_status",
		"terminal_reason",
		"stop_reason",
		"id",
		"model",
	);
	const value = fc.oneof(
		fc.jsonValue(),
		fc.constantFrom("result", "assistant", "rate_limit_event", "refusal", null, -1),
		fc.dictionary(key, fc.jsonValue()),
	);
	const event = fc.oneof(fc.anything(), fc.dictionary(key, value));
	fc.assert(
		fc.property(fc.array(event), (events) => {
			const end = endOf(claude, events);
			const good = events.some(
				(one) => /"success"|error_max_structured/.test(textOf(one)) && end.kind === "answered",
			);
			expect(end.kind === "failed" || good).toBe(true);
		}),
		{ numRuns: amount(500) },
	);
});

thorough("a flood of replies is counted in bounded memory", () => {
	const reader = claude.reader(systemClock);
	for (let id = 0; id < 20_000; id += 1) {
		const message = { id: String(id), model: "m", usage: { input_tokens: 1 } };
		reader.read({ type: "assistant", message });
	}
	expect(reader.end({ exitCode: 1, signal: null, stderr: "" }).spent?.inputTokens).toBe(10_000);
});
