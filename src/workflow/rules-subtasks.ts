import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { enabledOverlay } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import { nameProblem } from "./safe-name.ts";
import { suggestion } from "./suggest.ts";
import type { TaskField } from "./task-field.ts";

/** Rules about the parts of a task and the places where the seats of its pair swap. */
export function reportSubtasks(tasks: readonly TaskField[], report: Reporter): void {
	for (const { id, field } of tasks) {
		reportIds(field, report);
		const pair = enabledOverlay(field, "paired_workflow");
		if (pair !== undefined) reportRoleSwitch(id, field, pair, report);
	}
}

const idsOf = (task: Field): Field[] =>
	task
		.at("subtasks")
		.items()
		.map((subtask) => subtask.at("id"));

function reportIds(task: Field, report: Reporter): void {
	const seen = new Map<string, string>();
	for (const field of idsOf(task)) {
		const { text } = field;
		if (text === undefined) continue;
		const problem = nameProblem(text);
		if (problem !== undefined) report.error(field, `subtask ${quote(text)} ${problem}`);
		const key = text.toLowerCase();
		const twin = seen.get(key);
		if (twin === undefined) seen.set(key, text);
		else
			report.error(
				field,
				twin === text
					? `duplicate subtask id ${quote(text)}`
					: `subtask ${quote(text)} differs from ${quote(twin)} only in case`,
				"rename one of the two",
			);
	}
}

function reportRoleSwitch(id: string, task: Field, pair: Field, report: Reporter): void {
	const roleSwitch = pair.at("role_switch");
	const checkpoints = pair.at("checkpoints");
	const places = checkpoints.items();
	const ids = idsOf(task).flatMap(({ text }) => text ?? []);
	if (roleSwitch.value === "checkpoint" && places.length === 0)
		report.error(
			roleSwitch,
			"role_switch: checkpoint requires checkpoints",
			"add `checkpoints` with numbers of turns or ids of subtasks, such as [2, core]",
		);
	if (roleSwitch.value !== "checkpoint" && places.length > 0)
		report.keyError(
			checkpoints,
			"checkpoints require role_switch: checkpoint",
			"write `role_switch: checkpoint`, or remove `checkpoints`",
		);
	if (roleSwitch.value === "subtask" && ids.length === 0)
		report.warning(
			roleSwitch,
			`role_switch: subtask has no effect: task ${quote(id)} has no subtasks`,
			"add `subtasks`, or swap at `checkpoints`",
		);
	for (const place of places) reportCheckpoint(place, ids, report);
}

/** A turn below 1 is the schema's matter; a name must be one of the task's subtasks. */
function reportCheckpoint(place: Field, ids: readonly string[], report: Reporter): void {
	const { text } = place;
	if (text === undefined || ids.includes(text)) return;
	const hint = /^[1-9]\d{0,5}$/.test(text)
		? `for a turn number write ${text} without quotes`
		: (suggestion(text, ids) ?? "the task has no subtasks; use a turn number");
	report.error(place, `unknown subtask ${quote(text)}`, hint);
}
