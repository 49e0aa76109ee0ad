import { expect, test } from "vitest";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { failureMessage } from "../evidence-text.ts";
import type { EventText } from "./event-parts.ts";
import { eventText } from "./event-text.ts";

const SCORED: EventData["confidence-scored"] = {
	mode: "composite",
	score: 0.8,
	threshold: 0.8,
	advisory: "confidence threshold met",
	metrics: [
		{ type: "test_coverage", score: 0.9, weight: 1, reason: "9 of 10 changed lines are covered" },
		{
			type: "llm_judge",
			score: 0.7,
			weight: 1,
			reason: "scored by eve",
			evaluator_agent: "eve",
			rationale: "mostly \u001b[2Jclear",
		},
		{ type: "lint_score", score: null, weight: 2, reason: "lint is absent" },
	],
	warnings: [],
};
const warnings = ["lint_score has no value and counts as 0.0:\nlint is \u001b[2Jabsent"];

/** The texts of an event of turn 2 of a task. */
function textsOf<Type extends StoredEvent["type"]>(type: Type, data: EventData[Type]): EventText {
	const of = { id: 7, run: "r1", task: "limiter", turn: 2, node: "coach_turn" };
	// The test gives the data that the type has.
	return eventText({ ...of, timestamp: "2026-11-22T10:00:00.000Z", type, data } as StoredEvent);
}

const score = (changes: Partial<EventData["confidence-scored"]>): EventText =>
	textsOf("confidence-scored", { ...SCORED, ...changes });

test("a score is told with its mode, its threshold and each metric", () => {
	expect(score({}).short).toBe(
		"confidence 0.80 (composite, threshold 0.80 met): test_coverage 0.90, llm_judge (eve) 0.70, lint_score unknown",
	);
});

test("a metric without a value is warned of in the same line", () => {
	expect(score({ metrics: [], warnings }).short).toBe(
		"confidence 0.80 (composite, threshold 0.80 met); warning: lint_score has no value and counts as 0.0: lint is \\x1b[2Jabsent",
	);
});

test("a score just below the threshold is not shown as the threshold", () => {
	const below = { mode: "raw", score: 0.799, advisory: null, metrics: [] } as const;
	expect(score({ ...below }).short).toBe("confidence 0.79 (raw, threshold 0.80 not met)");
	expect(score({ ...below, score: 0.29 }).short).toContain("confidence 0.29 ");
});

test("each metric says what it rests on, with the words of a judge", () => {
	expect(score({ warnings }).long?.split("\n")).toEqual([
		score({}).short,
		"  - warning: lint_score has no value and counts as 0.0: lint is \\x1b[2Jabsent",
		"  - test_coverage: 9 of 10 changed lines are covered",
		"  - llm_judge (eve): scored by eve: mostly \\x1b[2Jclear",
		"  - lint_score: lint is absent",
	]);
});

test("a change of seats names the turn or the subtask that was reached", () => {
	const seats = { player: "rev", coach: "dev" };
	expect(textsOf("seats-switched", { ...seats, after: 2 }).short).toBe(
		"seats change after turn 2: player rev, coach dev",
	);
	expect(textsOf("seats-switched", { ...seats, after: "core" }).short).toContain(
		"after subtask core",
	);
});

test("a text has the tone of what it says, and none where nothing is to be noticed", () => {
	const gate = (verdict: "PASS" | "FAIL") =>
		textsOf("gate-evaluated", { verdict, rule: "no tests", risk_tier: "T1" });
	expect(gate("FAIL")).toEqual({
		short: "gate T1 FAIL: no tests",
		long: "gate T1 FAIL: no tests",
		tone: "bad",
	});
	expect(gate("PASS").tone).toBe("good");
	expect(textsOf("task-reopened", { bound: 5 })).toEqual({ short: "reopened, at most 5 turns" });
});

test("a failure is told by its message, without the places and the wrapping of its runner", () => {
	const node =
		"adds: Expected values to be equal:1 !== 2\n[Error [ERR_TEST_FAILURE]: Expected values to be equal:\n\n1 !== 2\n] {\n  code";
	expect(failureMessage(node)).toBe("adds: Expected values to be equal:1 !== 2");
	expect(failureMessage("adds: 3 !== 4 {\n    at run (node:internal)")).toBe("adds: 3 !== 4");
	expect(failureMessage("adds")).toBe("adds");
});
