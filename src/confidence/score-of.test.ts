import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EvalMetric } from "./metric.ts";
import { computeConfidence, computeRaw, metricValues, scoreOf } from "./score-of.ts";

const metric = (score: number | null, over: Partial<EvalMetric> = {}): EvalMetric => ({
	type: "lint_score",
	score,
	weight: 1,
	reason: "lint: pass",
	...over,
});
const metrics = (...scores: readonly (number | null)[]): EvalMetric[] =>
	scores.map((score) => metric(score));

test("Composite confidence score computation", () => {
	expect(computeConfidence(metrics(0.9, 0.8, 0.7))).toBe(0.8);
});

test("Raw mode bypasses aggregation", () => {
	const two = metrics(0.85, 0.9);
	expect(computeRaw(two)).toEqual([0.85, 0.9]);
	expect(scoreOf("raw", 0.85, two)).toEqual({
		score: 0.85,
		advisory: "confidence threshold met",
		warnings: [],
	});
	expect(scoreOf("raw", 0.88, two)).toMatchObject({ score: 0.85, advisory: null });
});

test("Confidence loop overlay fires advisory", () => {
	expect(scoreOf("composite", 0.8, metrics(0.85))).toEqual({
		score: 0.85,
		advisory: "confidence threshold met",
		warnings: [],
	});
});

test("Confidence below threshold — loop continues", () => {
	expect(scoreOf("composite", 0.8, metrics(0.72))).toMatchObject({ score: 0.72, advisory: null });
});

test("a score that equals the threshold meets it, whatever binary fractions make of the sum", () => {
	expect(computeConfidence(metrics(0.7, 0.7, 0.7))).toBe(0.7);
	expect(scoreOf("composite", 0.7, metrics(0.7, 0.7, 0.7)).advisory).not.toBeNull();
});

test("weights are normalised", () => {
	const weighted = [metric(1, { weight: 6 }), metric(0.5, { weight: 2 })];
	expect(computeConfidence(weighted)).toBe(0.875);
	const huge = weighted.map(({ weight, ...rest }) => ({ ...rest, weight: weight * 2e307 }));
	expect(computeConfidence(huge)).toBe(0.875);
});

test("no metrics give 0.0 with a warning, and meet no threshold", () => {
	expect(computeConfidence([])).toBe(0);
	expect(computeRaw([])).toEqual([]);
	for (const mode of ["composite", "raw"] as const) {
		expect(scoreOf(mode, 0, [])).toEqual({
			score: 0,
			advisory: null,
			warnings: ["the score is 0.0: there are no metrics"],
		});
	}
});

test("metrics that are all 0.0 give 0.0", () => {
	expect(scoreOf("composite", 0.1, metrics(0, 0))).toEqual({
		score: 0,
		advisory: null,
		warnings: [],
	});
	expect(scoreOf("composite", 0, metrics(0, 0)).advisory).not.toBeNull();
});

describe("a metric without a value", () => {
	test("counts as 0.0 with its weight, and is named", () => {
		const judge = metric(null, {
			type: "llm_judge",
			evaluator_agent: "reviewer",
			reason: "reviewer gave no score",
		});
		expect(scoreOf("composite", 0.5, [metric(1), judge])).toEqual({
			score: 0.5,
			advisory: "confidence threshold met",
			warnings: ["llm_judge (reviewer) has no value and counts as 0.0: reviewer gave no score"],
		});
		expect(scoreOf("raw", 0.5, [metric(1), judge])).toMatchObject({ score: 0, advisory: null });
	});

	test("alone meets no threshold, not even one of 0.0", () => {
		expect(scoreOf("composite", 0, metrics(null)).advisory).toBeNull();
	});
});

test.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])(
	"a score of %d counts as 0.0",
	(score) => {
		expect(computeConfidence(metrics(score))).toBe(0);
		expect(computeRaw(metrics(score))).toEqual([0]);
	},
);

test.each([Number.NaN, 0, -1, Number.POSITIVE_INFINITY])(
	"a weight of %d makes the score 0.0; raw mode needs no weights",
	(weight) => {
		const pair = [metric(1), metric(1, { weight })];
		expect(scoreOf("composite", 0.5, pair)).toMatchObject({ score: 0, advisory: null });
		expect(scoreOf("raw", 0.5, pair)).toMatchObject({ score: 1, warnings: [] });
	},
);

test("metrics.<type> is the lowest of its type, and unknown where one has no value", () => {
	const given = [
		metric(0.9),
		metric(0.4),
		metric(0.7, { type: "llm_judge" }),
		metric(null, { type: "llm_judge" }),
		metric(Number.NaN, { type: "mutation_score" }),
	];
	expect([...metricValues(given)]).toEqual([["lint_score", 0.4]]);
});

const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
const valid = fc.array(
	fc
		.tuple(score, fc.double({ min: 1e-6, max: 1e6, noNaN: true }))
		.map(([value, weight]) => metric(value, { weight })),
	{ minLength: 1, maxLength: 8 },
);

test("the mean lies between the lowest and the highest metric", () => {
	fc.assert(
		fc.property(valid, (given) => {
			const raw = computeRaw(given);
			const mean = computeConfidence(given);
			expect(mean).toBeGreaterThanOrEqual(Math.min(...raw) - 1e-9);
			expect(mean).toBeLessThanOrEqual(Math.max(...raw) + 1e-9);
		}),
	);
});

test("a better metric never lowers the score, and a lost value never raises it", () => {
	fc.assert(
		fc.property(valid, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (given, at, value) => {
			const place = at % given.length;
			const changed = (other: number | null) =>
				given.map((one, index) => (index === place ? { ...one, score: other } : one));
			const now = computeRaw(given)[place] ?? 0;
			expect(computeConfidence(changed(Math.max(now, value)))).toBeGreaterThanOrEqual(
				computeConfidence(given),
			);
			expect(computeConfidence(changed(null))).toBeLessThanOrEqual(computeConfidence(given));
		}),
	);
});

test("whatever the metrics are, the score is from 0.0 to 1.0, and both modes agree with the advisory", () => {
	const any = fc.array(fc.tuple(fc.option(fc.double()), fc.double()), { maxLength: 6 });
	fc.assert(
		fc.property(any, fc.double(), (pairs, threshold) => {
			const given = pairs.map(([value, weight]) => metric(value, { weight }));
			for (const mode of ["composite", "raw"] as const) {
				const result = scoreOf(mode, threshold, given);
				expect(result.score >= 0 && result.score <= 1).toBe(true);
				if (result.advisory !== null) expect(result.score).toBeGreaterThanOrEqual(threshold);
			}
			const each = computeRaw(given).every((value) => value >= threshold);
			if (scoreOf("raw", threshold, given).advisory !== null) expect(each).toBe(true);
		}),
	);
});
