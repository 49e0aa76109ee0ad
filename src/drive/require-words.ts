import { Fault } from "../kernel/fault.ts";
import { isFields } from "../kernel/fields.ts";
import { STARTER_TASK } from "../ready/init/starter-workflow.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { parseYaml } from "../workflow/yaml-source.ts";

/** The first task with words of the starter file. */
export function unedited({
	tasks,
}: Pick<Workflow, "tasks">): Workflow["tasks"][number] | undefined {
	return tasks.find(({ description }) => description.trim() === STARTER_TASK);
}

/** Id of the task that `spar init` wrote, if nobody changed it and no other task depends on it; else null. */
export function starterTask(text: string, { tasks }: Pick<Workflow, "tasks">): string | null {
	const { value } = parseYaml(text, "");
	const written = isFields(value) && isFields(value["tasks"]) ? value["tasks"] : {};
	const id = Object.keys(written).find((key) => written[key] === STARTER_TASK);
	return id === undefined || tasks.some(({ dependsOn }) => dependsOn.includes(id)) ? null : id;
}

// It asks for nothing, and agents would be paid for it.
export function requireWords(workflow: Pick<Workflow, "tasks">): void {
	const task = unedited(workflow);
	if (task === undefined) return;
	throw new Fault(`the task ${task.id} still has the words of the starter file`, {
		code: "usage",
		hint: "Edit the task's description first: say what is to be built and how to tell. Or remove it.",
	});
}
