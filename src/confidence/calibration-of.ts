import { isScore } from "./score-of.ts";

/** A score that was given once, and what became of what was scored. */
export interface CalibrationRow {
	/** With `llm_judge` the evaluator; otherwise the agent whose output was measured. */
	readonly agent: string;
	/** A metric's type, or `confidence_score` for the score of the whole turn. */
	readonly metric: string;
	/** null when the metric had no value. */
	readonly score: number | null;
	readonly outcome: ScoreOutcome;
}

type CalibrationVerdict = "too few" | "fits" | "too high" | "too low";

interface CalibrationBucket {
	readonly from: number;
	readonly to: number;
	readonly count: number;
	readonly good: number;
	readonly mean: number | null;
	readonly share: number | null;
	readonly interval: Interval | null;
	readonly verdict: CalibrationVerdict;
}

/** Reliability of the scores of one metric by one agent. */
export interface Calibration {
	readonly agent: string;
	readonly metric: string;
	/** Scores whose outcome is known. */
	readonly count: number;
	/** Scores whose outcome is not known yet. */
	readonly waiting: number;
	/** Rows without a value, or with one that is not a valid score. */
	readonly unscored: number;
	/** In rising order; those without a score are there too. */
	readonly buckets: readonly CalibrationBucket[];
}

const HEIGHTS = [
	{ from: 0, to: 0.5 },
	{ from: 0.5, to: 0.7 },
	{ from: 0.7, to: 0.8 },
	{ from: 0.8, to: 0.9 },
	{ from: 0.9, to: 1 },
] as const;

const FEWEST = 10;

/**
 * Share of the scores of each height that turned out right, by agent and metric. Ten scores of 0.95 of which five
 * turned out good: share 0.5, interval 0.237 to 0.763, `too high`.
 */
export function calibrationOf(rows: readonly CalibrationRow[]): Calibration[] {
	const byAgent = Map.groupBy(rows, ({ agent }) => agent);
	return [...byAgent].sort(byName).flatMap(([agent, ofAgent]) => {
		const byMetric = Map.groupBy(ofAgent, ({ metric }) => metric);
		return [...byMetric]
			.sort(byName)
			.map(([metric, group]) => ({ agent, metric, ...calibrate(group) }));
	});
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
	return a < b ? -1 : 1;
}

interface Scored {
	readonly score: number;
	readonly outcome: ScoreOutcome;
}

function calibrate(rows: readonly CalibrationRow[]): Omit<Calibration, "agent" | "metric"> {
	const scored = rows.flatMap(({ score, outcome }): Scored[] =>
		score !== null && isScore(score) ? [{ score, outcome }] : [],
	);
	const known = scored.filter(({ outcome }) => outcome !== "unknown");
	return {
		count: known.length,
		waiting: scored.length - known.length,
		unscored: rows.length - scored.length,
		buckets: HEIGHTS.map(({ from, to }) => bucketOf(from, to, known)),
	};
}

function bucketOf(from: number, to: number, known: readonly Scored[]): CalibrationBucket {
	const inside = known.filter(({ score }) => score >= from && (score < to || to === 1));
	const count = inside.length;
	const good = inside.filter(({ outcome }) => outcome === "good").length;
	if (count === 0) {
		const none = { mean: null, share: null, interval: null };
		return { from, to, count, good, ...none, verdict: "too few" };
	}
	const mean = inside.reduce((sum, { score }) => sum + score, 0) / count;
	const interval = wilsonInterval(good, count);
	const verdict = count < FEWEST ? "too few" : verdictOf(mean, interval);
	return { from, to, count, good, mean, share: good / count, interval, verdict };
}

function verdictOf(mean: number, { low, high }: Interval): CalibrationVerdict {
	if (mean > high) return "too high";
	return mean < low ? "too low" : "fits";
}

interface Interval {
	readonly low: number;
	readonly high: number;
}

const Z = 1.959964;

/**
 * 95 % confidence interval of a share, by Wilson's score method (1927): unlike the textbook interval it stays within
 * [0, 1] and says something for few cases. 8 of 10 is about 0.490 to 0.943.
 */
export function wilsonInterval(hits: number, count: number): Interval {
	const share = hits / count;
	const spread = Z ** 2 / count;
	const centre = (share + spread / 2) / (1 + spread);
	const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
	// At the ends the formula gives exactly 0 and 1; the arithmetic misses them by a last digit.
	return { low: hits === 0 ? 0 : centre - half, high: hits === count ? 1 : centre + half };
}

/** `unknown` until a later verdict exists. */
type ScoreOutcome = "good" | "bad" | "unknown";

/** Later verdicts on a scored turn; null for one that does not exist, or not yet. */
export interface LaterVerdicts {
	/** The gate on the same turn. */
	readonly gate: "PASS" | "FAIL" | null;
	/** A person's decision about the same output. */
	readonly human: "accepted" | "rejected" | null;
	/** The checks on the assembled tree. */
	readonly assembled: "pass" | "fail" | null;
}

/** The outcome of a scored turn: `bad` if any later verdict is negative, `good` if there are only positive ones. */
export function outcomeOf({ gate, human, assembled }: LaterVerdicts): ScoreOutcome {
	if (gate === "FAIL" || human === "rejected" || assembled === "fail") return "bad";
	return gate === null && human === null && assembled === null ? "unknown" : "good";
}
