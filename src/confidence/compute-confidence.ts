import type { EvalMetric } from "./metric.ts";

const PRECISION = 1e12;

export function isWeight(value: number): boolean {
	return Number.isFinite(value) && value > 0;
}

/**
 * Weighted mean of the metrics; one without a value counts as 0.0 and keeps its weight.
 *
 * Weights need not sum to 1; they are normalised. No metrics give 0.0, and so does an invalid weight (NaN,
 * infinite, 0 or less): leaving that metric out could only raise the score. The result is rounded to twelve
 * decimals, so that three times 0.7 is 0.7 and meets a threshold of 0.7.
 * [0.9, 0.8, 0.7] with equal weights gives 0.8.
 *
 * @param metrics scores in [0.0, 1.0], weights > 0
 * @returns a score in [0.0, 1.0]; advisory, it promotes nothing
 */
export function computeConfidence(
	metrics: readonly Pick<EvalMetric, "score" | "weight">[],
): number {
	const weights = metrics.map(({ weight }) => weight);
	if (weights.length === 0 || !weights.every(isWeight)) return 0;
	// Relative to the largest, so that no sum of weights overflows.
	const largest = weights.reduce((most, weight) => Math.max(most, weight));
	let sum = 0;
	let whole = 0;
	for (const { score, weight } of metrics) {
		sum += scoreOr0(score) * (weight / largest);
		whole += weight / largest;
	}
	return Math.round((sum / whole) * PRECISION) / PRECISION;
}

export function isScore(value: number): boolean {
	return value >= 0 && value <= 1;
}

function scoreOr0(value: number | null): number {
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
