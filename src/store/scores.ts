import {
	type CalibrationRow,
	type LaterVerdicts,
	outcomeOf,
} from "../confidence/calibration-of.ts";
import type { MetricRequest } from "../workflow/workflow.ts";

/** One metric of a scored turn, without what it rests on. */
export interface MetricScore extends MetricRequest {
	/** From 0.0 to 1.0; null without a value. */
	readonly score: number | null;
}

export interface ScoredTurn {
	readonly runId: string;
	readonly taskId: string;
	readonly turn: number;
	/** Tree id that was scored. */
	readonly tree: string;
	/** The player. */
	readonly agent: string;
	/** From 0.0 to 1.0: the weighted mean, or with mode `raw` the lowest metric. */
	readonly score: number;
	readonly metrics: readonly MetricScore[];
	/** ISO 8601 UTC. */
	readonly createdAt: string;
}

export interface ScoreRecord extends ScoredTurn, LaterVerdicts {}

const WHOLE = "confidence_score";

/**
 * Scored turns as calibration takes them: one row for each metric, and one for the whole score.
 *
 * @example a turn of `dev` with a `lint_score` and an `llm_judge` by `eve` gives rows of dev, eve and dev
 */
export function calibrationRows(scores: readonly ScoreRecord[]): CalibrationRow[] {
	return scores.flatMap(({ agent, score, metrics, ...later }) => {
		const outcome = outcomeOf(later);
		const parts = metrics.map(({ type, evaluator_agent: evaluator, score: value }) => {
			return { agent: evaluator ?? agent, metric: type, score: value, outcome };
		});
		return [...parts, { agent, metric: WHOLE, score, outcome }];
	});
}
