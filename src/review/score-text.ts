import type { Json } from "../kernel/json.ts";
import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";

/** The score of a turn that was not approved, for the player of the next one. Texts are masked already. */
export interface ScoreTold {
	/** Both from 0.0 to 1.0. */
	readonly score: number;
	readonly threshold: number;
	/** `confidence threshold met`, or null. */
	readonly advisory: string | null;
	readonly metrics: readonly {
		readonly type: string;
		/** Null without a value; counted as 0.0. */
		readonly score: number | null;
		readonly weight: number;
		/** What was counted, or why there is no value. */
		readonly reason: string;
		readonly evaluator_agent?: string | undefined;
		/** An evaluator's words. */
		readonly rationale?: string;
	}[];
	/** Expressions, any of which ends the loop. */
	readonly exitConditions: readonly string[];
}

const METRICS_LIMIT = 8_000;
const RATIONALE_LIMIT = 4_000;

/** Two to four decimals, rounded down, so that what is shown as the threshold has reached it. */
const shown = (score: number): string =>
	(Math.floor(score * 10_000 + 1e-6) / 10_000).toFixed(4).replace(/0{1,2}$/, "");

function metricText({ type, score, weight, reason, evaluator_agent: by }: Metric): string {
	const value = score === null ? "no value, counts as 0.0" : shown(score);
	const name = by === undefined ? type : `${type} by ${by}`;
	return `- ${name}, weight ${weight}: ${value} (${reason})`;
}

type Metric = ScoreTold["metrics"][number];

export function scoreText(told: ScoreTold): string {
	const { score, threshold, advisory, metrics, exitConditions } = told;
	const met = advisory === null ? "is not met" : "is met";
	const conditions = exitConditions.map((text) => `\`${excerpt(text)}\``).join(" or ");
	const ends = conditions === "" ? "" : ` The loop ends when this holds: ${conditions}.`;
	const words = metrics.flatMap(({ evaluator_agent: by = "the evaluator", rationale = "" }) =>
		rationale.trim() === "" ? [] : [fenced(`What ${by} says`, rationale, RATIONALE_LIMIT)],
	);
	return [
		`Sparring scored your work with ${shown(score)}. The threshold of ${shown(threshold)} ${met}.${ends} Improve what the metrics measure, not the numbers.`,
		fenced("Metrics", metrics.map(metricText).join("\n"), METRICS_LIMIT),
		...words,
	].join("\n\n");
}

export function scoreJson({
	score,
	threshold,
	advisory,
	metrics,
	exitConditions,
}: ScoreTold): Json {
	return {
		score,
		threshold,
		advisory,
		metrics: metrics.map((metric) => ({
			type: metric.type,
			score: metric.score,
			weight: metric.weight,
			reason: metric.reason,
			evaluator_agent: metric.evaluator_agent ?? null,
			rationale: metric.rationale ?? null,
		})),
		exit_conditions: exitConditions,
	};
}
