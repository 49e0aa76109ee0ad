import { Fault } from "../../kernel/fault.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { PLACEHOLDERS } from "../init/starter-workflow.ts";

/** The first task with words of the starter file. */
export function unedited({
	tasks,
}: Pick<Workflow, "tasks">): Workflow["tasks"][number] | undefined {
	return tasks.find(({ description, acceptanceCriteria }) =>
		[description, ...acceptanceCriteria].some((text) => PLACEHOLDERS.has(text.trim())),
	);
}

/**
 * Refuses a task that `spar init` wrote and nobody has edited: it asks for nothing, and agents would be paid for it.
 *
 * @throws Fault `usage`
 */
export function requireWords(workflow: Pick<Workflow, "tasks">): void {
	const task = unedited(workflow);
	if (task === undefined) return;
	throw new Fault(`the task ${task.id} still has the words of the starter file`, {
		code: "usage",
		hint: "Edit the task's description and acceptance criteria first: say what is to be built and how to tell.",
	});
}
