import type { Evidence } from "../evidence/evidence.ts";
import type { TaskContext } from "./context.ts";

/**
 * What was found on a turn's own commit. Evidence of the assembled tree is left out: it speaks of a merge that was
 * refused, and is asked for anew when the turn merges.
 */
export async function turnEvidence(
	context: Pick<TaskContext, "run" | "task" | "records">,
	turn: number,
): Promise<Evidence[]> {
	const evidence = await context.records.evidence(context.run.runId, context.task.id, turn);
	return evidence.filter(({ purpose }) => purpose === "turn");
}
