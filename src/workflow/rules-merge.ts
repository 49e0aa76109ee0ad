import { BRACES } from "../kernel/fill-template.ts";
import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { suggestion } from "./suggest.ts";
import type { TaskField } from "./task-field.ts";
import { MESSAGE_NAMES, taskSubject } from "./task-subject.ts";

/** Rules about `merge.message`: its placeholders are known, and every task's subject says something. */
export function reportMergeMessage(
	message: Field,
	tasks: readonly TaskField[],
	report: Reporter,
): void {
	const { text } = message;
	if (text === undefined) return;
	const known: readonly string[] = MESSAGE_NAMES;
	const unknown = [...text.matchAll(BRACES)].filter(([, name = ""]) => !known.includes(name));
	for (const { 0: placeholder, 1: name = "", index: from } of unknown)
		report.error(
			message,
			`unknown placeholder ${quote(placeholder)}: known are ${known.map((each) => `{${each}}`).join(", ")}`,
			suggestion(name, known),
			{ text, from },
		);
	if (unknown.length > 0) return;
	const empty = tasks.find(({ id, field }) => {
		if (field.at("formal_review").value === true) return false;
		const description = field.at("description").text ?? "";
		const featureId = field.at("feature_id").text;
		return taskSubject(text, { id, description, featureId }) === "";
	});
	if (empty === undefined) return;
	report.error(
		message,
		`the subject of task ${quote(empty.id)} would be empty`,
		"add words or {title}, or give the task what the placeholder names",
	);
}

/**
 * With `merge.into: none` nothing of a task reaches those that depend on it, and a review would judge the base.
 * One warning for each kind.
 */
export function reportUnmerged(into: Field, tasks: readonly TaskField[], report: Reporter): void {
	if (into.text !== "none") return;
	const dependants = tasks.filter(({ field }) => field.at("depends_on").texts().length > 0);
	const isReview = ({ field }: TaskField): boolean => field.at("formal_review").value === true;
	const review = dependants.find(isReview);
	const work = dependants.find((task) => !isReview(task));
	const hint = "merge into integration, which leaves the base branch alone until you land it";
	if (work !== undefined)
		report.warning(
			work.field.at("depends_on"),
			`task ${quote(work.id)} starts without the work of the tasks it depends on: merge.into is none`,
			hint,
		);
	if (review !== undefined)
		report.warning(
			review.field.at("depends_on"),
			`the formal review ${quote(review.id)} sees nothing of the tasks it depends on: merge.into is none`,
			hint,
		);
}
