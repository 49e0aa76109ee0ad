import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { endOf } from "../harness/fake-harness.fixture.ts";
import type { HarnessEnd, HarnessExit } from "../harness/harness.ts";
import { opencode } from "./opencode.ts";

/** What came of a recorded stream; `exit` says how its program ended. */
function recorded(name: string, exit: Partial<HarnessExit> = {}): HarnessEnd {
	const folder = join(import.meta.dirname, "../../../test/fixtures/harness");
	return endOf(opencode, readFileSync(join(folder, `opencode.${name}.jsonl`), "utf8"), exit);
}

const start = { type: "step_start", part: {} };
const says = (text: unknown) => ({ type: "text", part: { text } });
const finish = (reason: unknown, input = 1) => ({
	type: "step_finish",
	part: { reason, cost: 0.5, tokens: { input, output: input } },
});
const error = (name: string, data: unknown = {}) => ({ type: "error", error: { name, data } });

describe("recorded calls", () => {
	test("the last step's text is the final message, with the tokens and cost of all steps", () => {
		const end = recorded("edit");
		const text = 'Done.\n{"implementation_notes":"wrote hello.txt"}\n';
		expect(end).toMatchObject({ kind: "answered", message: { text } });
		expect(end.spent).toMatchObject({
			inputTokens: 2_200,
			cacheReadTokens: 1_200,
			cacheWriteTokens: 0,
			outputTokens: 80,
			model: null,
		});
		expect(end.spent?.costUsd).toBeCloseTo(0.001_16, 10);
	});

	test("counts that cannot be are unknown, and so is their sum", () => {
		const end = endOf(opencode, [finish("tool-calls", 1e300), finish("stop", 2)]);
		expect(end.spent).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: 1 });
	});

	test("a cost of 0 for tokens that were used is unknown, not nothing", () => {
		expect(recorded("unpriced").spent).toMatchObject({ inputTokens: 2_200, costUsd: null });
	});

	test("a tool that is refused fails nothing", () => {
		expect(recorded("refused").kind).toBe("answered");
	});

	test.each([
		["rate-limit", "rate_limit", "opencode failed (APIError): mock 429"],
		["bad-request", "unknown", "opencode failed (APIError): mock 400"],
		["too-long", "context_limit", "maximum context length"],
		["no-model", "unknown", "opencode failed (UnknownError): Unexpected server error"],
		["garbage", "network", "20 empty answers in a row"],
	])("%s fails as %s", (name, failure, said) => {
		const end = recorded(name, { exitCode: 1 });
		expect(end).toMatchObject({ kind: "failed", failure });
		expect(end.kind === "failed" && end.message).toContain(said);
	});

	test("how long to wait, and what was used before the failure, are told", () => {
		expect(recorded("rate-limit", { exitCode: 1 })).toMatchObject({ retryAfterMs: 1_000 });
		expect(recorded("bad-request", { exitCode: 1 }).spent).toMatchObject({ inputTokens: 1_000 });
	});

	test("a call that was killed is a tool error", () => {
		expect(recorded("killed", { exitCode: null, signal: "SIGTERM" })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			spent: { inputTokens: 1_000 },
			message: "opencode was ended by SIGTERM in the middle of a turn (tool-calls)",
		});
	});
});

describe("ends", () => {
	test("a call that ends before its last step, as after a refused question, is not an answer", () => {
		expect(endOf(opencode, [start, says("{}"), finish("tool-calls")])).toMatchObject({
			kind: "failed",
			failure: "tool_error",
		});
		expect(endOf(opencode, [finish("stop"), start, says("{}")]).kind).toBe("failed");
		expect(endOf(opencode, []).kind).toBe("failed");
	});

	test("a reply that was cut short or filtered is not an answer", () => {
		expect(endOf(opencode, [says("{"), finish("length")])).toMatchObject({ failure: "tool_error" });
		expect(endOf(opencode, [says("{"), finish("content-filter")])).toMatchObject({
			failure: "content_policy",
		});
	});

	test("an error after the last step fails the call, one that it got over does not", () => {
		const done = [start, says("{}"), finish("stop")];
		expect(endOf(opencode, [...done, error("APIError")]).kind).toBe("failed");
		expect(endOf(opencode, [error("APIError"), ...done]).kind).toBe("answered");
	});

	test("an error in the middle of the last step fails the call", () => {
		const step = [start, says("{}"), error("APIError"), finish("stop")];
		expect(endOf(opencode, step).kind).toBe("failed");
		expect(endOf(opencode, [...step, finish("stop")]).kind).toBe("failed");
		expect(endOf(opencode, [start, error("APIError"), finish("tool-calls")]).kind).toBe("failed");
	});

	test("what comes after the last step changes nothing", () => {
		const done = [start, says("fin"), finish("stop")];
		const end = endOf(opencode, [...done, says("late"), finish("length"), finish("stop", 9)]);
		expect(end).toMatchObject({ kind: "answered", message: { text: "fin\n" } });
		expect(end.spent).toMatchObject({ inputTokens: 1 });
	});

	test("nothing was answered by a program that ended badly after its result", () => {
		expect(endOf(opencode, [says("{}"), finish("stop")], { exitCode: 3 })).toMatchObject({
			kind: "failed",
			message: "opencode exited with code 3 after its result",
		});
	});

	test("steps of a model that thinks or works do not count as empty", () => {
		const reader = opencode.reader(systemClock);
		for (let step = 0; step < 100; step += 1) reader.read(finish("unknown"));
		for (let step = 0; step < 19; step += 1) reader.read(finish("unknown", 0));
		expect(reader.stuck?.()).toBe(false);
		reader.read(finish("unknown", 0));
		expect(reader.stuck?.()).toBe(true);
	});

	test("arguments that it does not know are not tried again", () => {
		const stderr = "opencode run [message..]\n\nrun opencode with a message\n";
		expect(endOf(opencode, [], { exitCode: 1, stderr })).toMatchObject({ failure: "unknown" });
	});

	test.each([
		[{ "retry-after": "2" }, 2_000],
		[{ "Retry-After-Ms": "1500" }, 1_500],
		[{ "retry-after": "Sat, 21 Nov 2026 20:41:37 GMT" }, undefined],
		[{ "retry-after": -1 }, undefined],
		[null, undefined],
	])("headers %j ask to wait %s ms", (responseHeaders, retryAfterMs) => {
		const end = endOf(opencode, [error("APIError", { statusCode: 429, responseHeaders })]);
		expect(end.kind === "failed" && end.retryAfterMs).toBe(retryAfterMs);
	});

	test("events of any shape are survived", () => {
		const event = fc.oneof(
			fc.anything(),
			fc.record({
				type: fc.constantFrom("step_start", "text", "step_finish", "error", "tool_use"),
				part: fc.oneof(
					fc.anything(),
					fc.record({
						reason: fc.anything(),
						text: fc.anything(),
						tokens: fc.anything(),
						cost: fc.anything(),
					}),
				),
				error: fc.oneof(fc.anything(), fc.record({ name: fc.anything(), data: fc.anything() })),
			}),
		);
		fc.assert(
			fc.property(fc.array(event), (events) => {
				expect(["answered", "failed"]).toContain(endOf(opencode, events).kind);
			}),
		);
	});
});
