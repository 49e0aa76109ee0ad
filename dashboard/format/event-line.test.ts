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
	const skipped = { required: false, verdict: "skipped", reasons: [], tests: [], attempts: 0 };
	expect(text("verification-decided", skipped)).toBeUndefined();
});

test("a second call is told as another one", () => {
	const call = { role: "tie_breaker", agent: "arbiter" };
	expect(text("agent-called", { ...call, call: 1 })).toBe("tie-breaker arbiter is called");
	expect(text("agent-called", { ...call, call: 2 })).toBe(
		"tie-breaker arbiter is called again (call 2)",
	);
});

test("a question names its item, and no command of the terminal", () => {
	const opened = { item: "H1", trigger: "loop_exhausted", reason: "Max turns (3) reached" };
	expect(text("item-opened", opened)).toBe(
		"waiting for a person: H1 (turn limit): Max turns (3) reached",
	);
});

test("text of many lines stays on one, and a long one is cut", () => {
	const ended = { status: "failed", turns: 0, reason: "one\ntwo\u001b[31m\tthree", flags: [] };
	expect(text("task-ended", { ...ended, merged: false, checkout: null })).toBe(
		"failed: one two\\x1b[31m three",
	);
	const long = event("merge-refused", { reason: "x".repeat(900), attempt: 1 });
	expect(eventLine(long, 50)?.text).toHaveLength(50);
});
