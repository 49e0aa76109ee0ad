import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { enabledOverlay } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import { seatFields, type TaskField } from "./task-field.ts";

/** Rules about formal reviews: what they judge, and that they judge independently. */
export function reportReviews(root: Field, tasks: readonly TaskField[], report: Reporter): void {
	const byId = new Map(tasks.map(({ id, field }) => [id, field]));
	for (const { id, field } of tasks) {
		if (field.at("formal_review").value !== true) continue;
		reportForm(id, field, report);
		reportReviewer(field, { root, byId }, report);
	}
}

/** A formal review builds nothing, so keys that shape building do not apply to it. */
function reportForm(id: string, review: Field, report: Reporter): void {
	const needs = review.at("depends_on");
	if (!needs.present || (Array.isArray(needs.value) && needs.items().length === 0))
		report.keyError(
			review.at("formal_review"),
			`formal review ${quote(id)} needs depends_on`,
			"list the tasks whose merged result it reviews",
		);
	for (const key of ["paired_workflow", "confidence_loop", "policy_gate"]) {
		const overlay = review.at("overlays").at(key);
		if (overlay.present && overlay.at("enabled").value !== false)
			reportNoPart(overlay, key, report);
	}
	const subtasks = review.at("subtasks");
	if (subtasks.present) reportNoPart(subtasks, "subtasks", report);
	const checklist = review.at("checklist");
	// One from `defaults` is for the other tasks.
	if (checklist.present && checklist.path[0] === "tasks")
		reportNoPart(checklist, "checklist", report);
}

function reportNoPart(field: Field, key: string, report: Reporter): void {
	report.keyError(
		field,
		`a formal review cannot have ${key}`,
		"remove it: a formal review changes no files",
	);
}

/** A review is independent only of tasks in which its agent had no part; the part that weighs most is told. */
function reportReviewer(
	review: Field,
	{ root, byId }: { readonly root: Field; readonly byId: ReadonlyMap<string, Field> },
	report: Reporter,
): void {
	const reviewer = review.at("agent");
	if (reviewer.text === undefined) return;
	const idsOf = (task: Field): string[] =>
		task
			.at("depends_on")
			.texts()
			.map(({ text }) => text);
	const wanted = new Set(idsOf(review));
	const found = new Set<string>();
	// A set that grows while it is walked: each task is visited once.
	for (const id of wanted) {
		const task = byId.get(id);
		if (task === undefined) continue;
		for (const needed of idsOf(task)) wanted.add(needed);
		for (const [part, agents] of partsIn(task, root))
			if (agents.includes(reviewer.text)) found.add(part);
	}
	const part = PARTS.find((each) => found.has(each));
	if (part !== undefined)
		report.warning(
			reviewer,
			`${part} and formal reviewer are the same agent`,
			"name another agent for the review",
		);
}

const PARTS = ["challenger", "builder", "verifier"] as const;

/** Agents that take part in a task: its coach (with role switching, either seat), its player, and the author of its tests. */
function partsIn(task: Field, root: Field): readonly (readonly [string, readonly unknown[]])[] {
	if (task.at("formal_review").value === true) return [];
	const { player, coach } = seatFields(task);
	const roleSwitch = enabledOverlay(task, "paired_workflow")?.at("role_switch");
	const swaps = roleSwitch?.present === true && roleSwitch.value !== "session";
	const isVerified = task.at("requires_verification").value !== false;
	const verifiers = [root.at("verifier"), root.at("verification").at("agent")];
	return [
		["challenger", [coach.text, ...(swaps ? [player.text] : [])]],
		["builder", [player.text]],
		["verifier", isVerified ? verifiers.map(({ text }) => text) : []],
	];
}
