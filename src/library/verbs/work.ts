import type { ResumeOptions, RunOptions, RunPlan } from "../../drive/run-options.ts";
import type { LoadedWorkflow, WorkflowSource } from "../../places/load-source.ts";
import type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
} from "../../planning/planning-reports.ts";
import type { RunReport } from "../../view/report.ts";
import { ANYWAY, count, given, MAX_PARALLEL, SUPERVISION, TASK_IDS, text, verb } from "./fields.ts";

const FILE = "workflow file (default: sparring.yaml)";

export const validate = verb({
	summary: "load a workflow and report; run nothing",
	fields: {
		source: {
			kind: "source",
			spelt: "[file]",
			about: "workflow file, or a task file ending in .md (default: sparring.yaml)",
			isNeeded: true,
		},
	},
	places: ["source"],
	access: "read",
	examples: ["spar validate", "spar validate sparring.yaml", "spar validate task.md --json"],
	run: async (own, { source }: { readonly source: WorkflowSource }) => {
		const { againstBase } = await import("../validate-source.ts");
		return await againstBase(await own.load(source, true), own);
	},
});

/** Null where the file has errors. */
export interface Reported<Report> {
	readonly loaded: LoadedWorkflow;
	readonly report: Report | null;
}

export const planTasks = verb({
	named: "plan",
	summary: "let an agent turn requirements into tasks of the workflow",
	fields: {
		document: text("<requirements>", "text file with what is wanted", { isNeeded: true }),
		path: text("--file <file>", FILE),
		onEvent: SUPERVISION.onEvent,
		onNotice: SUPERVISION.onNotice,
		signal: SUPERVISION.signal,
	},
	places: ["..."],
	access: "write",
	examples: [
		"spar plan requirements.md",
		"spar plan requirements.md --file sparring.yaml",
		"spar plan requirements.md --json",
	],
	run: async (own, options: PlanOptions): Promise<Reported<PlanReport>> =>
		(await import("../../planning/plan-tasks.ts")).planTasks(options, own),
});

export const approve = verb({
	summary: "show who verifies which task and why, and change it",
	fields: {
		path: text("[file]", FILE),
		all: given("any"),
		tasks: given("object"),
		digest: given("text"),
	},
	places: ["..."],
	// It may write the file.
	access: "write",
	examples: [
		"spar approve",
		"spar approve --verify limiter --no-verify docs",
		"spar approve sparring.yaml --verify-all --auto limiter",
	],
	page: "verification",
	run: async (own, options: ApprovalOptions): Promise<Reported<ApprovalReport>> =>
		(await import("../../planning/approvals.ts")).approveTasks(options, own),
});

/** A run, but for where its tasks come from. */
export const RUN_FIELDS = {
	taskIds: TASK_IDS,
	maxTurns: count("--max-turns <n>", "at most this many turns for each task"),
	maxParallel: MAX_PARALLEL,
	recordFile: text("--record <file>", "write a cassette of every agent call", { forPeople: true }),
	anyway: ANYWAY,
	detach: {
		...given("flag"),
		spelt: "--detach",
		about: "leave the run to the workers of several machines; needs SPAR_STORE",
		forPeople: true,
	},
	...SUPERVISION,
} as const;

const OF_RUN = {
	fields: {
		source: {
			kind: "source",
			spelt: "[file]",
			about: "workflow file, task file ending in .md, or a task in words (default: sparring.yaml)",
			isNeeded: true,
		},
		...RUN_FIELDS,
	},
	places: ["..."],
	examples: [
		"spar run",
		"spar run sparring.yaml --task-id limiter --max-turns 5",
		'spar run "Greet people by name" --criterion "says hello" --land',
	],
	page: "workflows",
} as const;

export const run = verb({
	...OF_RUN,
	summary: "run the tasks of a workflow to their end",
	access: "write",
	run: async (own, options: RunOptions): Promise<RunReport> =>
		(await import("../take-forward.ts")).startRun(own, options),
});

export const plan = verb({
	...OF_RUN,
	named: "run --dry-run",
	summary: "show what would run; start nothing",
	access: "read",
	run: async (own, options: RunOptions): Promise<RunPlan> =>
		(await import("../take-forward.ts")).planRun(own, options),
});

/** Its method takes a task's name too. */
export const resume = verb({
	summary: "continue a run after a stop, a crash or an answer",
	fields: {
		runId: text("[run]", "id of the run (default: the only one that has not ended)"),
		maxTurns: count("--max-turns <n>", "reopen failed tasks with this many turns"),
		maxParallel: MAX_PARALLEL,
		player: text(
			"--player <agent>",
			"this agent plays from now on, such as where a limit is reached",
		),
		coach: text("--coach <agent>", "this agent judges from now on"),
		model: text(
			"--model <name>",
			"model of that player; of that coach; else of those who play now",
		),
		anyway: ANYWAY,
		...SUPERVISION,
	},
	places: ["..."],
	access: "write",
	examples: ["spar resume", "spar resume --max-turns 6", "spar resume --player codex"],
	run: async (own, options: ResumeOptions): Promise<RunReport> =>
		(await import("../take-forward.ts")).resumeRun(own, options),
});
