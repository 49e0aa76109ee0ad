import type { MetricType } from "../workflow/workflow.ts";
import { isScore } from "./compute-raw.ts";
import type { EvalMetric } from "./metric.ts";

/**
 * What `metrics.<type>` is in an exit condition: the score by type, of several of one type the lowest.
 *
 * A type without a value is left out, also when another metric of it has one: there it is unknown, since a missing
 * measurement is not a measured 0.0.
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
