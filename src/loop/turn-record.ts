import type { TurnRecord } from "../store/records.ts";
import type { TaskContext } from "./context.ts";

/** The record of a turn before anybody judged it. */
export function newTurn(
	context: Pick<TaskContext, "run" | "task">,
	turn: Pick<TurnRecord, "turn" | "commit" | "tree" | "notes">,
): TurnRecord {
	return {
		runId: context.run.runId,
		taskId: context.task.id,
		reviewedFrom: null,
		raw: null,
		effective: null,
		reasons: [],
		claims: null,
		rationale: "",
		openIssues: [],
		exempt: false,
		restarted: false,
		route: null,
		...turn,
	};
}

/** The record of a turn that the player has finished; its absence is a bug. */
export async function turnRecord(
	context: Pick<TaskContext, "run" | "task" | "records">,
	turn: number,
): Promise<TurnRecord> {
	const record = await context.records.turn(context.run.runId, context.task.id, turn);
	if (record === undefined) throw new Error(`no record of turn ${turn} of task ${context.task.id}`);
	return record;
}
