import type { EvalMetric } from "../confidence/metric.ts";
import type { Score } from "../confidence/score-of.ts";
import type { StepKey } from "../store/records.ts";

/** What a turn's output was scored with; plain JSON, kept as a step of the turn. */
export interface TurnScore extends Score {
	/** What the score is compared with, from 0.0 to 1.0. */
	readonly threshold: number;
	readonly metrics: readonly EvalMetric[];
	/** Values of metrics by type, of those that have one. */
	readonly values: Readonly<Record<string, number>>;
}

/** Where the score of a turn is kept. */
export function scoreStep(
	{ runId, taskId }: Pick<StepKey, "runId" | "taskId">,
	turn: number,
): StepKey<TurnScore> {
	return { runId, taskId, turn, step: "confidence" };
}
