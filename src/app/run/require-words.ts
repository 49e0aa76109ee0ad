import { Fault } from "../../kernel/fault.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { PLACEHOLDERS } from "../init/starter-workflow.ts";

/**
 * Refuses a task that `spar init` wrote and nobody has edited: it asks for nothing, and agents would be paid for it.
 *
 * @throws Fault `usage`
 */
export function requireWords({ tasks }: Pick<Workflow, "tasks">): void {
	const unedited = tasks.find(({ description, acceptanceCriteria }) =>
		[description, ...acceptanceCriteria].some((text) => PLACEHOLDERS.has(text.trim())),
	);
	if (unedited === undefined) return;
	throw new Fault(`the task ${unedited.id} still has the words of the starter file`, {
		code: "usage",
		hint: "Edit the task's description and acceptance criteria first: say what is to be built and how to tell.",
	});
}
