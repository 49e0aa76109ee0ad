import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endOf } from "../harness/fake-harness.fixture.ts";
import type { HarnessEnd, HarnessExit } from "../harness/harness.ts";
import { gemini } from "./gemini.ts";

/** What came of a recorded stream; `exit` says how its program ended. */
function recorded(name: string, exit: Partial<HarnessExit> = {}): HarnessEnd {
	const folder = join(import.meta.dirname, "../../../test/fixtures/harness");
	return endOf(gemini, readFileSync(join(folder, `gemini.${name}.jsonl`), "utf8"), exit);
}

const says = (content: unknown) => ({ type: "message", role: "assistant", content, delta: true });
const tool = { type: "tool_use", tool_name: "read_file" };
const success = { type: "result", status: "success" };
const error = (message: unknown) => ({ type: "error", severity: "error", message });

describe("recorded calls", () => {
	test("what the agent said after its last tool is the final message, with tokens and model", () => {
		expect(recorded("edit")).toEqual({
			kind: "answered",
			message: { text: 'Done.\n{"implementation_notes":"wrote hello.txt"}' },
			spent: {
				inputTokens: 2_200,
				cacheReadTokens: 1_200,
				cacheWriteTokens: null,
				outputTokens: 80,
				costUsd: null,
				model: "gemini-2.5-pro",
			},
		});
	});

	test("a tool that the seat does not have fails nothing", () => {
		expect(recorded("refused").kind).toBe("answered");
	});

	test.each([
		["rate-limit", 173, "rate_limit", "gemini failed: mock 429"],
		["quota", 173, "quota_exhausted", "gemini failed: You exceeded your current quota"],
		["server-error", 244, "unavailable", "gemini failed: mock 500"],
		["unauthorized", 145, "signed_out", "gemini failed: mock 401"],
		["garbage", 1, "tool_error", "gemini failed: Incomplete JSON"],
	])("%s with exit code %d fails as %s", (name, exitCode, failure, said) => {
		const end = recorded(name, { exitCode });
		expect(end).toMatchObject({ kind: "failed", failure });
		expect(end.kind === "failed" && end.message).toContain(said);
	});

	test("tokens of a call that failed are told; none at all are unknown", () => {
		expect(recorded("server-error", { exitCode: 244 }).spent).toMatchObject({ inputTokens: 1_000 });
		expect(recorded("rate-limit", { exitCode: 173 }).spent).toBeNull();
	});

	test("a call that was told to end is not an answer, although it exits with 0", () => {
		const stderr = "Warning: terminal\nlost\n[STARTUP] Phase 'x' was started\n";
		expect(recorded("killed", { stderr })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			message: "gemini exited with code 0 without a result: lost",
		});
	});
});

describe("ends", () => {
	test("a turn that it broke off itself is not an answer, although it calls it a success", () => {
		const loop = error("Loop detected, stopping execution");
		expect(endOf(gemini, [says("{}"), loop, success])).toMatchObject({
			kind: "failed",
			message: "gemini failed: Loop detected, stopping execution",
		});
	});

	test("an error is over once another turn has brought words", () => {
		const result = { type: "tool_result", status: "success" };
		for (const turn of [tool, result]) {
			expect(endOf(gemini, [error("x"), turn, says("{}"), success]).kind).toBe("answered");
			expect(endOf(gemini, [says("{}"), error("x"), turn, says(" \n"), success])).toMatchObject({
				kind: "failed",
				message: "gemini failed: x",
			});
		}
		expect(endOf(gemini, [tool, error("x"), says("{}"), success]).kind).toBe("failed");
		expect(endOf(gemini, [error("x"), tool, success]).kind).toBe("failed");
	});

	test("what comes after the result changes nothing", () => {
		const after = [says("late"), tool, error("late"), { type: "result", status: "error" }];
		expect(endOf(gemini, [says("fin"), success, ...after])).toMatchObject({
			kind: "answered",
			message: { text: "fin" },
		});
	});

	test.each([
		[173, "rate_limit"],
		[145, "signed_out"],
		[247, "unavailable"],
		[255, "tool_error"],
		[180, "tool_error"],
		[143, "tool_error"],
	])("exit code %d without any event is %s", (exitCode, failure) => {
		expect(endOf(gemini, [], { exitCode })).toMatchObject({ kind: "failed", failure });
	});

	test("a status that is told by the exit code alone is named with the last words", () => {
		expect(endOf(gemini, [], { exitCode: 173, stderr: "mock\n" })).toMatchObject({
			message: "gemini failed (status 429): mock",
		});
	});

	test("an error without words of its own takes those of the event before", () => {
		const blocked = error("The reply was blocked by the safety filter");
		expect(endOf(gemini, [blocked, { type: "result", status: "error" }])).toMatchObject({
			kind: "failed",
			failure: "content_policy",
		});
	});

	test("words before a tool are no part of the final message", () => {
		const end = endOf(gemini, [says("first"), tool, says("a"), says("b"), success]);
		expect(end).toMatchObject({ message: { text: "ab" } });
		expect(endOf(gemini, [says("first"), tool, success])).toMatchObject({ message: { text: "" } });
	});

	test("nothing was answered by a program that ended badly after its result", () => {
		expect(endOf(gemini, [says("{}"), success], { exitCode: 3 })).toMatchObject({
			kind: "failed",
			failure: "tool_error",
			message: "gemini exited with code 3 after its result",
		});
	});

	test("what it leaves on standard error makes no refusal of a status", () => {
		const stderr = "Cannot find module './insufficient_quota'";
		expect(endOf(gemini, [], { exitCode: 173, stderr })).toMatchObject({ failure: "rate_limit" });
	});

	test("its own refusals are not tried again", () => {
		const stderr = "Invalid auth method selected.";
		expect(endOf(gemini, [], { exitCode: 41, stderr })).toMatchObject({
			failure: "unknown",
			message: `gemini failed (not signed in): ${stderr}`,
		});
		const help = { exitCode: 1, stderr: "Unknown argument: nope\n\nOptions:\n  -h, --help" };
		expect(endOf(gemini, [], help)).toMatchObject({
			failure: "unknown",
			message: "gemini failed (Unknown argument: nope)",
		});
	});

	test("thoughts count as output, and the model is the one that did most", () => {
		const models = { flash: { total_tokens: 10 }, pro: { total_tokens: 90 }, odd: null };
		const stats = { total_tokens: 100, input_tokens: 60, output_tokens: 10, models };
		expect(endOf(gemini, [says("{}"), { ...success, stats }]).spent).toMatchObject({
			inputTokens: 60,
			outputTokens: 40,
			model: "pro",
		});
	});

	test("events of any shape are survived", () => {
		const types = fc.constantFrom("message", "tool_use", "error", "result", "init");
		const event = fc.oneof(
			fc.anything(),
			fc.record({
				type: types,
				role: fc.constantFrom("assistant", "user", null),
				content: fc.anything(),
				message: fc.anything(),
				status: fc.anything(),
				stats: fc.anything(),
				error: fc.anything(),
			}),
		);
		fc.assert(
			fc.property(fc.array(event), fc.integer({ min: 0, max: 255 }), (events, exitCode) => {
				expect(["answered", "failed"]).toContain(endOf(gemini, events, { exitCode }).kind);
			}),
		);
	});
});
