import fc from "fast-check";
import { expect, test } from "vitest";
import { type CalibrationRow, calibrationOf, outcomeOf, wilsonInterval } from "./calibration-of.ts";

const row = (score: number | null, over: Partial<CalibrationRow> = {}): CalibrationRow => ({
	agent: "arbiter",
	metric: "llm_judge",
	score,
	outcome: "good",
	...over,
});
const rows = (count: number, score: number, outcome: CalibrationRow["outcome"]) =>
	Array.from({ length: count }, () => row(score, { outcome }));
const bucket = (given: readonly CalibrationRow[], from: number) =>
	calibrationOf(given)[0]?.buckets.find((each) => each.from === from);

test("ten scores of 0.95 of which five turned out good were too high", () => {
	const found = bucket([...rows(5, 0.95, "good"), ...rows(5, 0.95, "bad")], 0.9);
	expect(found).toMatchObject({
		from: 0.9,
		to: 1,
		count: 10,
		good: 5,
		share: 0.5,
		verdict: "too high",
	});
	expect(found?.mean).toBeCloseTo(0.95, 10);
	expect(found?.interval?.low).toBeCloseTo(0.2366, 3);
	expect(found?.interval?.high).toBeCloseTo(0.7634, 3);
});

test("scores fit when their mean lies in the interval, and are too low below it", () => {
	expect(bucket([...rows(8, 0.8, "good"), ...rows(2, 0.8, "bad")], 0.8)?.verdict).toBe("fits");
	expect(bucket(rows(20, 0.3, "good"), 0)?.verdict).toBe("too low");
});

test("below the bound it says that there are too few, with the counts", () => {
	expect(bucket(rows(9, 0.95, "bad"), 0.9)).toMatchObject({
		count: 9,
		good: 0,
		share: 0,
		verdict: "too few",
	});
	expect(bucket(rows(10, 0.95, "bad"), 0.9)?.verdict).toBe("too high");
	expect(bucket(rows(9, 0.95, "bad"), 0.5)).toEqual({
		from: 0.5,
		to: 0.7,
		count: 0,
		good: 0,
		mean: null,
		share: null,
		interval: null,
		verdict: "too few",
	});
});

test("a score at an edge belongs to the upper height, and 1.0 to the highest", () => {
	const [found] = calibrationOf([0, 0.5, 0.7, 0.8, 0.9, 1].map((score) => row(score)));
	expect(found?.buckets.map(({ count }) => count)).toEqual([1, 1, 1, 1, 2]);
});

test("agents and metrics are apart, in the order of their names; what waits and what has no score is counted", () => {
	const given = [
		row(0.9, { agent: "reviewer" }),
		row(0.9, { metric: "confidence_score" }),
		row(null),
		row(Number.NaN),
		row(2),
		row(0.6, { outcome: "unknown" }),
		row(0.6, { outcome: "bad" }),
	];
	expect(
		calibrationOf(given).map(({ agent, metric, count, waiting, unscored }) => [
			agent,
			metric,
			count,
			waiting,
			unscored,
		]),
	).toEqual([
		["arbiter", "confidence_score", 1, 0, 0],
		["arbiter", "llm_judge", 1, 1, 3],
		["reviewer", "llm_judge", 1, 0, 0],
	]);
	expect(calibrationOf([])).toEqual([]);
});

test("Wilson's interval of 8 of 10 is 0.490 to 0.943", () => {
	const { low, high } = wilsonInterval(8, 10);
	expect([low.toFixed(3), high.toFixed(3)]).toEqual(["0.490", "0.943"]);
	expect(wilsonInterval(0, 10).low).toBe(0);
	expect(wilsonInterval(10, 10).high).toBe(1);
});

test("the interval holds the share, lies in [0, 1] and narrows with more cases", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (count, some) => {
			const hits = some % (count + 1);
			const { low, high } = wilsonInterval(hits, count);
			expect(low >= 0 && high <= 1).toBe(true);
			expect(low <= hits / count + 1e-12 && high >= hits / count - 1e-12).toBe(true);
			const more = wilsonInterval(hits * 4, count * 4);
			expect(more.high - more.low).toBeLessThan(high - low);
		}),
	);
});

test("every row is counted once", () => {
	const any = fc.record({
		agent: fc.constantFrom("a", "b"),
		metric: fc.constantFrom("llm_judge", "__proto__"),
		score: fc.option(fc.double()),
		outcome: fc.constantFrom("good" as const, "bad" as const, "unknown" as const),
	});
	fc.assert(
		fc.property(fc.array(any), (given) => {
			const found = calibrationOf(given);
			const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
			expect(sum(found.map(({ count, waiting, unscored }) => count + waiting + unscored))).toBe(
				given.length,
			);
			for (const { count, buckets } of found) {
				expect(sum(buckets.map((each) => each.count))).toBe(count);
			}
		}),
	);
});

test.each([
	[{ gate: null, human: null, assembled: null }, "unknown"],
	[{ gate: "PASS", human: null, assembled: null }, "good"],
	[{ gate: null, human: "accepted", assembled: null }, "good"],
	[{ gate: null, human: null, assembled: "pass" }, "good"],
	[{ gate: "FAIL", human: "accepted", assembled: "pass" }, "bad"],
	[{ gate: "PASS", human: "rejected", assembled: null }, "bad"],
	[{ gate: "PASS", human: "accepted", assembled: "fail" }, "bad"],
] as const)("of %j the outcome is %s", (verdicts, outcome) => {
	expect(outcomeOf(verdicts)).toBe(outcome);
});
