import type { MetricType, ScoreMode } from "../workflow/workflow.ts";
import type { EvalMetric } from "./metric.ts";

const ADVISORY = "confidence threshold met";

/** The score of a turn. */
export interface Score {
	/** From 0.0 to 1.0. `composite`: the weighted mean. `raw`: the lowest metric. */
	readonly score: number;
	readonly advisory: typeof ADVISORY | null;
	/** One sentence for each metric without a value, and for whatever else made the score lower than it reads. */
	readonly warnings: readonly string[];
}

/**
 * The score of measured metrics, and whether it reaches the threshold. Metrics without a value count as 0.0 and are
 * named in the warnings. Where no metric has a value nothing was measured, and no threshold is met, not even one of
 * 0.0.
 */
export function scoreOf(mode: ScoreMode, threshold: number, metrics: readonly EvalMetric[]): Score {
	const lowest = metrics.length === 0 ? 0 : Math.min(...computeRaw(metrics));
	const score = mode === "raw" ? lowest : computeConfidence(metrics);
	const measured = metrics.some(({ score: one }) => one !== null);
	const met = measured && score >= threshold;
	return { score, advisory: met ? ADVISORY : null, warnings: warningsOf(metrics) };
}

function warningsOf(metrics: readonly EvalMetric[]): string[] {
	if (metrics.length === 0) return ["the score is 0.0: there are no metrics"];
	return metrics
		.filter(({ score }) => score === null)
		.map((metric) => `${nameOf(metric)} has no value and counts as 0.0: ${metric.reason}`);
}

function nameOf({ type, evaluator_agent: evaluator }: EvalMetric): string {
	return evaluator === undefined ? type : `${type} (${evaluator})`;
}

/**
 * Values of `metrics.<type>` in an exit condition: of several of one type the lowest. A type with a metric without a
 * value is unknown, since a missing measurement is not a measured 0.0.
 */
export function metricValues(
	metrics: readonly Pick<EvalMetric, "type" | "score">[],
): ReadonlyMap<MetricType, number> {
	const values = new Map<MetricType, number>();
	const unknown = new Set<MetricType>();
	for (const { type, score } of metrics) {
		if (score === null || !isScore(score)) unknown.add(type);
		else values.set(type, Math.min(score, values.get(type) ?? 1));
	}
	for (const type of unknown) values.delete(type);
	return values;
}

const PRECISION = 1e12;

function isWeight(value: number): boolean {
	return Number.isFinite(value) && value > 0;
}

/**
 * Weighted mean of the metrics; one without a value counts as 0.0 and keeps its weight. Weights need not sum to 1. No
 * metrics give 0.0, and so does an invalid weight: leaving that metric out could only raise the score. Rounded to
 * twelve decimals, so that three times 0.7 meets a threshold of 0.7.
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

/** The score of each metric for itself; one without a valid score counts as 0.0. */
export function computeRaw(metrics: readonly Pick<EvalMetric, "score">[]): number[] {
	return metrics.map(({ score }) => scoreOr0(score));
}
