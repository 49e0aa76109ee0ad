import { Field } from "./field.ts";

const NOBODY = new Field([], []);

/**
 * The seats of a task over `defaults`. A formal review has a coach only; a pair's driver may be named by `agent`.
 */
export function seatFields(task: Field): { readonly player: Field; readonly coach: Field } {
	const agent = task.at("agent");
	if (task.at("formal_review").value === true) return { player: NOBODY, coach: agent };
	const pair = task.at("overlays").at("paired_workflow");
	if (pair.at("enabled").value !== true) return { player: agent, coach: NOBODY };
	const driver = pair.at("driver_agent");
	return { player: driver.present ? driver : agent, coach: pair.at("challenger_agent") };
}

/** A task and its values with `defaults` below them. */
export interface TaskField {
	readonly id: string;
	readonly field: Field;
}

/** Each task over `defaults` (the task wins, lists replace); a formal review takes no overlay from there. */
export function taskFields(root: Field): TaskField[] {
	const defaults = root.at("defaults");
	const plain = defaults.without("overlays");
	return root
		.at("tasks")
		.entries()
		.map(({ key, field }) => {
			const isReview = field.at("formal_review").value === true;
			return { id: key, field: field.over(isReview ? plain : defaults) };
		});
}
