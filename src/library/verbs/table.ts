import { check, checkHistory } from "./check.ts";
import { ackItem, item, items, rejectItem, resolveItem } from "./questions.ts";
import { calibration, cancel, events, land, propose, prune, result, runs, status } from "./runs.ts";
import { diff, findings, gate, logs, trace } from "./tasks.ts";
import type { AnyVerb, Method } from "./verb.ts";
import { approve, plan, planTasks, resume, run, validate } from "./work.ts";

/** The verbs, by the method of the library. A new one is an entry here and a file; every door has it then. */
export const VERBS = {
	/**
	 * Judges work that exists: what is not committed, the index, or a commit. No agent takes part that is not named, and
	 * nothing is left in the repository. Rejects with the signal's reason when aborted.
	 *
	 * @throws Fault `usage` where there is nothing to check, or no command to check it with
	 * @example `const { verdict, next } = await sparring.check({ rev: "topic", base: "main" })`
	 */
	check,
	/** Judges the last commits, the newest first, each against the one before it. */
	checkHistory,
	/**
	 * `load`, and what keeps the base commit's filters from running, as errors in `.gitattributes`. Tells which files of
	 * the base commit are on the tests' side.
	 */
	validate,
	/** Asks a planner for tasks, and adds them to the workflow file; `report` is null when the file has errors. */
	planTasks,
	/** Sets flags in the workflow file, then tells how its tasks stand; `report` is null when the file has errors. */
	approve,
	/** Resolves when nothing more can happen by itself. Rejects with the signal's reason when aborted. */
	run,
	/** Tells what `run` would do; nothing is created. */
	plan,
	/** Goes on with a run. */
	resume,
	/** Run's standing, with that of its tasks. */
	status,
	runs,
	/** Events of a run in their order, those with an id above `after`. */
	events,
	/** Files with what calls, checks and setups of a task printed, the one that changed last at the end. */
	logs,
	trace,
	/** Unified diff of the task against its start; with `turn`, of that turn against the one before. */
	diff,
	/** The gate's report of the task's newest turn that has one; null when no gate has looked at it. */
	gate,
	/** Every finding of the task, in the order they were raised. */
	findings,
	/** Rate at which scores turned out right, over all runs, by agent and metric. */
	calibration,
	/** Asks the holder to stop and waits until it did; a run that nobody holds is cancelled at once. */
	cancel,
	items,
	item,
	ackItem,
	/** Stores a person's yes, the side that it takes, or what it adds to a spent budget. */
	resolveItem,
	/** Stores a person's no: the task fails with the reason. */
	rejectItem,
	land,
	/** Pushes what `land` would land, and opens a pull request or updates the one that is open. Moves no local branch. */
	propose,
	/** All that reviewers want to know of a run; the formats of `spar report` are made of it. */
	result,
	/** Of ended runs what they left on the disk and in git. */
	prune,
} as const satisfies Readonly<Record<string, AnyVerb>>;

export type VerbName = keyof typeof VERBS;

/** The library's methods that are made from verbs. */
export type VerbMethods = { readonly [Name in VerbName]: Method<(typeof VERBS)[Name]> };

export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/** Name of a verb's command and tool. @example `nameOfVerb("result")` is `"report"` */
export function nameOfVerb(method: VerbName): string {
	const { named = method }: AnyVerb = VERBS[method];
	return named;
}
