import type { EvalMetric } from "./metric.ts";

/** Whether a number can be a score: finite and from 0.0 to 1.0. */
export function isScore(value: number): boolean {
	return value >= 0 && value <= 1;
}

/** The score; 0.0 if it is missing or not valid. */
export function scoreOr0(value: number | null): number {
	return value !== null && isScore(value) ? value : 0;
}

/**
 * The score of each metric for itself, in their order, without aggregation.
 *
 * A metric without a value counts as 0.0, and so does one whose value is not a valid score (NaN, below 0.0, above 1.0).
 * `[0.85, 0.9]` stays `[0.85, 0.9]`.
 */
export function computeRaw(metrics: readonly Pick<EvalMetric, "score">[]): number[] {
	return metrics.map(({ score }) => scoreOr0(score));
}
