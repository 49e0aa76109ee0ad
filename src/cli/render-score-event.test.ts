import { expect, test } from "vitest";
import { renderScore, renderScoreParts, renderSwitch } from "./render-score-event.ts";

const scored = {
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
} as const;
const warnings = ["lint_score has no value and counts as 0.0:\nlint is \u001b[2Jabsent"];

test("a score is told with its mode, its threshold and each metric", () => {
	expect(renderScore(scored)).toBe(
		"confidence 0.80 (composite, threshold 0.80 met): test_coverage 0.90, llm_judge (eve) 0.70, lint_score unknown",
	);
});

test("a metric without a value is warned of in the same line", () => {
	expect(renderScore({ ...scored, metrics: [], warnings })).toBe(
		"confidence 0.80 (composite, threshold 0.80 met); warning: lint_score has no value and counts as 0.0: lint is \\x1b[2Jabsent",
	);
});

test("a score just below the threshold is not shown as the threshold", () => {
	const below = { ...scored, mode: "raw", score: 0.799, advisory: null, metrics: [] } as const;
	expect(renderScore(below)).toBe("confidence 0.79 (raw, threshold 0.80 not met)");
	expect(renderScore({ ...below, score: 0.29 })).toContain("confidence 0.29 ");
});

test("each metric says what it rests on, with the words of a judge", () => {
	const { line, parts } = renderScoreParts({ ...scored, warnings });
	expect(line).toBe(renderScore(scored));
	expect(parts).toEqual([
		`warning: ${warnings[0]}`,
		"test_coverage: 9 of 10 changed lines are covered",
		"llm_judge (eve): scored by eve: mostly \u001b[2Jclear",
		"lint_score: lint is absent",
	]);
});

test("a change of seats names the turn or the subtask that was reached", () => {
	const seats = { player: "rev", coach: "dev" };
	expect(renderSwitch({ ...seats, after: 2 })).toBe(
		"seats change after turn 2: player rev, coach dev",
	);
	expect(renderSwitch({ ...seats, after: "core" })).toContain("after subtask core");
});
