import type { EvalMetric } from "../confidence/metric.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { StepKey } from "../store/records.ts";
import type { TaskContext } from "./context.ts";

/** What a turn's output was scored with; plain JSON, kept as a step of the turn. */
export interface TurnScore {
	/** From 0.0 to 1.0. */
	readonly score: number;
	readonly advisory: string | null;
	readonly metrics: readonly EvalMetric[];
	/** Values of metrics by type, of those that have one. */
	readonly values: Readonly<Record<string, number>>;
}

type ScoreContext = Pick<TaskContext, "run" | "task" | "records">;

/** Where the score of a turn is kept. */
export function scoreKey(context: Pick<TaskContext, "run" | "task">, turn: number): StepKey {
	return { runId: context.run.runId, taskId: context.task.id, turn, step: "confidence" };
}

/** The score of a turn; null when nothing was scored. */
export async function turnScore(context: ScoreContext, turn: number): Promise<TurnScore | null> {
	const stored = await context.records.step(scoreKey(context, turn));
	// The step holds what `score_confidence` wrote.
	return stored === undefined ? null : (stored as TurnScore);
}

/** Where the gate's report of a turn is kept. */
export function gateReportKey(context: Pick<TaskContext, "run" | "task">, turn: number): StepKey {
	return { runId: context.run.runId, taskId: context.task.id, turn, step: "gate-report" };
}

/** The gate's report of a turn; null when no gate spoke. */
export async function gateReportOf(
	context: ScoreContext,
	turn: number,
): Promise<GateReport | null> {
	const stored = await context.records.step(gateReportKey(context, turn));
	// The step holds what `policy_gate` wrote.
	return stored === undefined ? null : (stored as GateReport);
}
