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
