import type { Field } from "./field.ts";

/** A task and its values with `defaults` below them. */
export interface TaskField {
	readonly id: string;
	readonly field: Field;
}

/**
 * The tasks of a file, each over `defaults` (the task wins, lists replace).
 * A formal review takes no overlay from `defaults`.
 */
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
