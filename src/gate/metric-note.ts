/** A metric of the score, as the gate's report shows it. Keys are the report's. */
export interface MetricNote {
	readonly type: string;
	/** From 0.0 to 1.0; null without a value, which counted as 0.0 in the score. */
	readonly score: number | null;
	readonly weight: number;
	/** What the score rests on, or why there is none. */
	readonly reason: string;
	/** null unless an evaluator gave the score; the same holds for its words. */
	readonly evaluator_agent: string | null;
	readonly rationale: string | null;
}

/** What the gate is told of a turn's score. It is shown, and decides nothing. */
export interface ConfidenceNote {
	/** From 0.0 to 1.0. */
	readonly score: number;
	/** `confidence threshold met`, or null. */
	readonly advisory: string | null;
	readonly metrics: readonly {
		readonly type: string;
		readonly score: number | null;
		readonly weight: number;
		readonly reason: string;
		readonly evaluator_agent?: string;
		readonly rationale?: string;
	}[];
}

/** The metrics with every key of the report, in their order. */
export function metricNotes(confidence: ConfidenceNote | null): MetricNote[] {
	return (confidence?.metrics ?? []).map((metric) => ({
		type: metric.type,
		score: metric.score,
		weight: metric.weight,
		reason: metric.reason,
		evaluator_agent: metric.evaluator_agent ?? null,
		rationale: metric.rationale ?? null,
	}));
}
