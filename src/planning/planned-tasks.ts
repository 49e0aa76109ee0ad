import type { PlannerReport } from "../agents/report.ts";
import { type Fields, fieldAt, listOf, textAt } from "../kernel/fields.ts";
import { NO_COACH } from "../workflow/short-forms.ts";

export type PlanNote =
	/** The planner said `false`, which is a person's word: `auto` was written. */
	| { readonly kind: "declined"; readonly task: string; readonly said: string | null }
	/** A person chose in `defaults`; the planner's flag was left out. */
	| { readonly kind: "default_decides"; readonly task: string }
	/** The task brings commands that Sparring runs. */
	| { readonly kind: "commands"; readonly task: string; readonly commands: readonly string[] };

export type PlanProblem =
	| { readonly kind: "known_task"; readonly task: string }
	/** It switches off a guard, which only a person may. */
	| { readonly kind: "guard_off"; readonly task: string; readonly key: string };

export interface PlanGround {
	readonly known: ReadonlySet<string>;
	/** True where `defaults` hold a person's `requires_verification: true` or `false`. */
	readonly defaultDecides: boolean;
}

/** A planner's tasks as they are written: `requires_verification` is `true` or `auto`, and who set it stands beside it. */
export function plannedTasks(
	{ tasks }: PlannerReport,
	ground: PlanGround,
): {
	readonly tasks: Readonly<Record<string, Fields>>;
	readonly notes: readonly PlanNote[];
	readonly problems: readonly PlanProblem[];
} {
	const entries = Object.entries(tasks);
	return {
		tasks: Object.fromEntries(entries.map(([id, task]) => [id, written(task, ground)])),
		notes: entries.flatMap(([id, task]) => notesOf(id, task, ground)),
		problems: entries.flatMap(([id, task]) => problemsOf(id, task, ground)),
	};
}

const FLAG = "requires_verification";

function written(task: Fields, { defaultDecides }: PlanGround): Fields {
	const {
		requires_verification: flag,
		verification_reason: reason,
		// Who set the flag is not the planner's to say.
		verification_by: _by,
		...keys
	} = task;
	return {
		...keys,
		...(defaultDecides ? {} : flagged(flag)),
		// A planner writes null for what it leaves out.
		...(reason == null ? {} : { verification_reason: reason }),
	};
}

function flagged(flag: unknown): Fields {
	if (flag === true) return { [FLAG]: true, verification_by: "planner" };
	// What is no flag at all is kept for the loader to refuse.
	return { [FLAG]: flag == null || flag === false ? "auto" : flag };
}

function notesOf(task: string, keys: Fields, { defaultDecides }: PlanGround): PlanNote[] {
	const flag = keys[FLAG];
	const commands = listOf(keys["checklist"]).flatMap((item) => textAt(item, "run") ?? []);
	const said = textAt(keys, "verification_reason");
	return [
		...(defaultDecides ? [{ kind: "default_decides", task } as const] : []),
		...(!defaultDecides && flag === false ? [{ kind: "declined", task, said } as const] : []),
		...(commands.length > 0 ? [{ kind: "commands", task, commands } as const] : []),
	];
}

const GUARDS: readonly string[] = ["paired_workflow", "policy_gate", "hil"];

function problemsOf(task: string, keys: Fields, { known }: PlanGround): PlanProblem[] {
	const off = GUARDS.filter((guard) => fieldAt(keys, "overlays", guard, "enabled") === false).map(
		(guard) => `overlays.${guard}`,
	);
	if (keys["requires_human"] === false) off.push("requires_human");
	if (keys["coach"] === NO_COACH) off.push("coach");
	return [
		...(known.has(task) ? [{ kind: "known_task", task } as const] : []),
		...off.map((key) => ({ kind: "guard_off", task, key }) as const),
	];
}

export function planProblemText(problem: PlanProblem): string {
	const { task } = problem;
	return problem.kind === "known_task"
		? `the workflow has a task ${JSON.stringify(task)} already: choose another id; existing tasks are not changed`
		: `task ${JSON.stringify(task)} switches ${problem.key} off, which only a person may do: leave it out`;
}

export function planNoteText(note: PlanNote): string {
	switch (note.kind) {
		case "declined": {
			const why = note.said === null ? "" : ` (${note.said})`;
			return `the planner wants no verification of ${note.task}${why}; that is yours to say, so the file has auto: spar approve --no-verify ${note.task}`;
		}
		case "default_decides":
			return `defaults of the file decide about the verification of ${note.task}`;
		case "commands":
			return `${note.task} has a checklist whose commands Sparring will run: ${note.commands.join("; ")}`;
	}
}
