import type { StepKey, Write } from "../store/records.ts";
import type { TaskContext } from "./context.ts";
import type { TaskState } from "./state.ts";

function key(context: Pick<TaskContext, "run" | "task">, turn: number): StepKey {
	return { runId: context.run.runId, taskId: context.task.id, turn, step: "merge-trouble" };
}

/** What hindered the merge of a turn, kept for the player's next prompt. Masked. */
export function mergeTroubleWrite(
	context: Pick<TaskContext, "run" | "task">,
	turn: number,
	text: string,
): Write {
	return { kind: "step", key: key(context, turn), result: text };
}

/** What hindered the merge of the last turn; null when nothing did. */
export async function mergeTroubleOf(
	context: TaskContext,
	state: TaskState,
): Promise<string | null> {
	if (state.turn === 0) return null;
	const stored = await context.records.step(key(context, state.turn));
	return typeof stored === "string" ? stored : null;
}
