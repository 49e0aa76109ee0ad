import type { MetricRequest } from "../workflow/workflow.ts";

/** A value, or none, and in either case what it rests on. */
export interface Measure {
	/** From 0.0 to 1.0; null when there is no value: it counts as 0.0 only in a score. */
	readonly score: number | null;
	/** One sentence: what was counted, or why there is no value. */
	readonly reason: string;
	/** With `llm_judge`: the evaluator's own words, masked. */
	readonly rationale?: string;
}

/** A metric that was asked for, measured. Keys as in the gate's report, which shows it. */
export interface EvalMetric extends MetricRequest, Measure {}

interface Share {
	readonly part: number;
	readonly whole: number;
}

/** Whole numbers of 0 or more, the part within the whole: else the counts can't be true. */
function isShare({ part, whole }: Share): boolean {
	return Number.isSafeInteger(part) && Number.isSafeInteger(whole) && part >= 0 && part <= whole;
}

/**
 * The share as a measure: no value when the whole is 0, or when the counts can't be true.
 *
 * @param what what is counted and what holds of the part: `"changed lines are covered"`
 * @example `shareMeasure({ part: 9, whole: 10 }, "changed lines are covered")` is 0.9 with the reason
 * `"9 of 10 changed lines are covered"`
 */
export function shareMeasure(share: Share, what: string): Measure {
	const { part, whole } = share;
	const reason = `${part} of ${whole} ${what}`;
	if (!isShare(share)) return { score: null, reason: `the counts can't be true: ${reason}` };
	return { score: whole === 0 ? null : part / whole, reason };
}
