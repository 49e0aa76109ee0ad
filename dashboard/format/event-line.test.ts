import { expect, test } from "vitest";
import type { StreamMessages } from "../../src/web/protocol.ts";
import { eventLine } from "./event-line.ts";

type StoredEvent = StreamMessages["message"];

/** An event of task `limiter` in turn 2; the parts that a test is about are its own. */
const event = (type: StoredEvent["type"], data: unknown): StoredEvent =>
	// The test gives the data that the type has.
	({
		id: 7,
		run: "r1",
		task: "limiter",
		turn: 2,
		node: "coach_turn",
		timestamp: "2026-11-22T10:00:00.000Z",
		type,
		data,
	}) as StoredEvent;

const text = (type: StoredEvent["type"], data: unknown): string | undefined =>
	eventLine(event(type, data))?.text;

test("an event is a line with its place, its time and its tone", () => {
	expect(
		eventLine(event("gate-evaluated", { verdict: "FAIL", rule: "no tests", risk_tier: "T1" })),
	).toEqual({
		id: 7,
		at: "2026-11-22T10:00:00.000Z",
		task: "limiter",
		turn: 2,
		text: "gate T1 FAIL: no tests",
		tone: "bad",
	});
});

test("what says nothing new has no line", () => {
	expect(text("node-entered", { phase: "gating" })).toBeUndefined();
	expect(text("node-left", { ms: 3, passed_through: "off" })).toBeUndefined();
	expect(text("integrity-checked", { status: "pass", violations: [], notes: [] })).toBeUndefined();
	expect(text("verification-decided", { required: false, verdict: "skipped" })).toBeUndefined();
});

test("a second call is told as another attempt", () => {
	const call = { role: "tie_breaker", agent: "arbiter" };
	expect(text("agent-called", { ...call, call: 1 })).toBe("tie-breaker arbiter is called");
	expect(text("agent-called", { ...call, call: 2 })).toBe(
		"tie-breaker arbiter is called again (attempt 2)",
	);
});

test("a verdict says what the coach said where it came to something else", () => {
	const verdict = { raw: "approve", effective: "feedback", reasons: ["criterion unmet"] };
	expect(text("turn-judged", verdict)).toBe(
		"verdict: feedback (the coach said approve): criterion unmet",
	);
	expect(text("turn-judged", { ...verdict, raw: "feedback" })).toBe(
		"verdict: feedback: criterion unmet",
	);
	expect(text("turn-judged", { raw: null, effective: null, reasons: [] })).toBeUndefined();
});

test("text of many lines stays on one, and a long one is cut", () => {
	const ended = { status: "failed", turns: 0, reason: "one\ntwo\u001b[31m\tthree" };
	expect(text("task-ended", ended)).toBe("failed: one two [31m three");
	const long = event("merge-refused", { reason: "x".repeat(900), attempt: 1 });
	expect(eventLine(long, 50)?.text).toHaveLength(50);
});
