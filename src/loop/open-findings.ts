import type { Finding } from "../review/finding.ts";
import type { TaskContext } from "./context.ts";

/** The open findings of the present subtask: each has its own. Of a task in one piece all of them. */
export async function openNow(
	context: Pick<TaskContext, "run" | "task" | "records" | "subtask">,
): Promise<readonly Finding[]> {
	const open = await context.records.openFindings(context.run.runId, context.task.id);
	const now = context.subtask?.id ?? null;
	return open.filter((finding) => (finding.subtask ?? null) === now);
}
