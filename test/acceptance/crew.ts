import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { processesOf } from "../support/processes.ts";
import type { Step } from "../support/scripted-agents.ts";
import { type SparOptions, type SparProcess, type SparResult, startSpar } from "../support/spar.ts";
import { integrityOf, runIds, stateRows } from "../support/state-rows.ts";
import { type UserState, userState } from "../support/user-state.ts";
import { waitUntil } from "../support/wait-until.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, type Play, type Stage, stage } from "./stage.ts";

/** Folder of the repository below the agents' home. */
const PROJECT = "project";

/** Lines of shell that wait for a file of the agents' home. */
export const waitFor = (name: string): string =>
	`while [ ! -e "$HOME/${name}" ]; do sleep 0.02; done`;

/** In a player's first call: waits until the players of `a`, `b` and `c` are all at work. */
export const MEET = ['touch "$HOME/at.$SPAR_TASK"', ...["at.a", "at.b", "at.c"].map(waitFor)].join(
	"\n",
);

/** Adds a line to the list that two tasks write, and settles what a merge left there. */
export const ADD_LINE = [
	'kept="$HOME/list.$SPAR_TASK"',
	'{ [ ! -e list.txt ] || grep -v "^[<=>|][<=>|]" list.txt; echo "of $SPAR_TASK"; } | sort -u > "$kept"',
	'cp "$kept" list.txt',
].join("\n");

export const OWN_FILE = 'echo "$SPAR_TASK" > "$SPAR_TASK.txt"';

/** What `c` does while `a` and `b` are at work, in its first call: lines of shell in the user's work tree. */
export const strike = (action: string): Step => ({
	role: "player",
	task: "c",
	turn: 1,
	call: 1,
	run: [
		MEET,
		`(cd "$HOME/${PROJECT}"; ${action}) > "$HOME/struck.log" 2>&1`,
		'touch "$HOME/struck"',
		OWN_FILE,
	].join("\n"),
});

/** Repository, agents, and what the user had before the run. */
export interface Crew extends Stage {
	readonly before: UserState;
	/** Starts a process of its own; its id stands in `pid` of the agents' home. */
	readonly start: (args: readonly string[], options?: SparOptions) => SparProcess;
	/** Waits until `a`, `b` and `c` are at work. */
	readonly allAtWork: () => Promise<void>;
	/** Lets agents go on that wait for a file of this name. */
	readonly signal: (name: string) => void;
	/** Whether a file of this name is in the agents' home. */
	readonly told: (name: string) => boolean;
}

const task = (more: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
	...more,
});

/**
 * A run of four tasks, three of them at once: `a` and `b` write the same list, so that one of them conflicts; `c` works
 * beside them, and `d` waits for `a`. The players of `a` and `b` go on when the file `struck` is there.
 */
export function crew({ steps, tasks = {}, ...play }: CrewPlay): Crew {
	const set = stage({
		name: PROJECT,
		...play,
		steps: [
			...steps,
			...["a", "b"].map((id): Step => {
				const run = [MEET, waitFor("struck"), ADD_LINE].join("\n");
				return { role: "player", task: id, run };
			}),
			{ role: "player", task: "c", run: [MEET, waitFor("struck"), OWN_FILE].join("\n") },
			{ role: "player", run: OWN_FILE },
			APPROVES,
		],
		workflow: {
			max_parallel: 4,
			tasks: {
				a: task(tasks["a"]),
				b: task(tasks["b"]),
				c: task(tasks["c"]),
				d: task({ depends_on: ["a"], ...tasks["d"] }),
			},
			...play.workflow,
		},
	});
	const { repo } = set;
	const told = (name: string): boolean => existsSync(join(repo.home, name));
	return {
		...set,
		before: userState(repo),
		start: (args, options) => {
			const run = startSpar(repo, args, options);
			writeFileSync(join(repo.home, "pid"), `${run.child.pid}`);
			return run;
		},
		allAtWork: () => waitUntil("three at work", () => ["at.a", "at.b", "at.c"].every(told)),
		signal: (name) => writeFileSync(join(repo.home, name), ""),
		told,
	};
}

type CrewPlay = Omit<Play, "name" | "task"> & {
	/** Further keys of single tasks. */
	readonly tasks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** Status of each task of the only run, and whether it is merged. */
export function standing({ repo }: Crew): Readonly<Record<string, string>> {
	const rows = stateRows(repo, "SELECT task_id, status, merged FROM tasks ORDER BY task_id");
	return Object.fromEntries(
		rows.map((row) => [
			String(row["task_id"]),
			`${String(row["status"])}${row["merged"] === 1 ? ", merged" : ""}`,
		]),
	);
}

const MERGED = "completed, merged";
export const ALL_MERGED = { a: MERGED, b: MERGED, c: MERGED, d: MERGED };

/** Leftover locks in the repository's git directory. */
function locks({ repo }: Crew): string[] {
	const names = readdirSync(join(repo.root, ".git"), { recursive: true, encoding: "utf8" });
	return names.filter((name) => name.endsWith(".lock"));
}

/** Whatever happened: the user's things are as they were, and nothing runs or is held. */
export function expectTidy(set: Crew): void {
	expect(userState(set.repo)).toEqual(set.before);
	expect(processesOf(set.repo)).toEqual([]);
	expect(locks(set)).toEqual([]);
	expect(integrityOf(set.repo)).toBe("ok");
	expect(stateRows(set.repo, "SELECT pid FROM leases")).toEqual([{ pid: null }]);
	expect(set.repo.git("fsck", "--no-dangling", "--no-reflogs", "--no-progress")).toBe("");
}

/** All work is on the integration branch, each task's exactly once, and nothing is left. */
export function expectAllMerged(set: Crew, by: SparResult): void {
	expect(by.code, by.stderr).toBe(0);
	expect(standing(set)).toEqual(ALL_MERGED);
	const merges = stateRows(
		set.repo,
		"SELECT task, count(*) AS times FROM events WHERE type = 'task-merged' GROUP BY task ORDER BY task",
	);
	expect(merges).toEqual(Object.keys(ALL_MERGED).map((id) => ({ task: id, times: 1 })));
	const branch = integration(set);
	expect(set.repo.git("show", `${branch}:list.txt`).split("\n").sort()).toEqual(["of a", "of b"]);
	for (const id of ["c", "d"]) expect(set.repo.git("show", `${branch}:${id}.txt`)).toBe(id);
	expectTidy(set);
}

/** How often Sparring merged into the integration branch: one commit a task. */
export const mergeCount = (set: Crew): number =>
	Number(set.repo.git("rev-list", "--first-parent", "--count", `main..${integration(set)}`));

export const integration = ({ repo }: Crew): string => `sparring/${runIds(repo)[0]}/integration`;
