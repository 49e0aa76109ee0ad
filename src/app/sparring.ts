import type { Calibration } from "../confidence/calibration-of.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { MutantsJson } from "../evidence/mutation/mutation-text.ts";
import type { SideReason } from "../evidence/replay/sides.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { HumanItem } from "../human/human-item.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";
import type { VerificationReport } from "../loop/turn-verification.ts";
import type { UndoneWork } from "../merge/undone-work.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { EventListener, StoredEvent } from "../trace/event.ts";
import type { Diagnostic } from "../workflow/load.ts";
import type { WorkflowValue } from "../workflow/schema.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { AnswerRequest, RejectionProof } from "./answer-request.ts";
import type { BlockedBy } from "./blocked-by.ts";
import type { LoadedState } from "./load-state.ts";
import type { StoppedReport, UnclaimedTask } from "./machines/unclaimed.ts";
import type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
} from "./planning/planning.ts";
import type { ProposeReport } from "./propose-report.ts";
import type { PruneOptions, PruneReport, SetupCacheReport } from "./prune-report.ts";
import type { RunResult } from "./report/run-result.ts";
import type { PreflightProblem } from "./run/preflight-problem.ts";
import type { RunPlan } from "./run-plan.ts";
import type { StoppedPreflight } from "./stopped-preflight.ts";
import type { LastSaid, TaskLog } from "./task-logs.ts";

/** Where the tasks come from. Paths are relative to the caller's directory; without one, `sparring.yaml` at the root. */
export type WorkflowSource =
	| { readonly kind: "file"; readonly path?: string | undefined }
	| { readonly kind: "task-file"; readonly path: string }
	| { readonly kind: "words"; readonly description: string; readonly criteria: readonly string[] }
	/** In the shape of the file. Paths in it are relative to the caller's directory; no file is read. */
	| { readonly kind: "value"; readonly value: WorkflowValue };

/** A workflow that `load` gave: it runs as it was read, whatever the file says by now. */
export interface ReadWorkflow {
	readonly kind: "loaded";
	readonly workflow: Workflow;
}

/** A workflow as loaded; `workflow` is null exactly when there are errors. */
export interface LoadedWorkflow {
	readonly workflow: Workflow | null;
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
}

/** A file that is test, test data or configuration of an acceptance check. */
export interface TestSideFile {
	/** Relative to the root. */
	readonly path: string;
	/** A glob of the check, the file's name, the check's command, or what tests import or read. */
	readonly why: SideReason;
}

/** A loaded workflow against its base commit. */
export interface ValidatedWorkflow extends LoadedWorkflow {
	/** Empty where the base commit is not known. */
	readonly tests: readonly TestSideFile[];
}

/** Where a run stands: the contract's JSON (section 3), which `spar run --json` and `spar status --json` print. */
export interface RunReport {
	readonly run_id: string;
	readonly workflow: string;
	readonly status: RunStatus;
	readonly base: string;
	readonly branch: string;
	/** The process that works on the run, as `host:pid`; null when none does. */
	readonly holder: string | null;
	/** Of a run of several machines what each task waits for that no machine has taken yet. */
	readonly unclaimed: readonly UnclaimedTask[];
	/** Of such a run the tasks that an error stopped; `resume` goes on with them. */
	readonly stopped: readonly StoppedReport[];
	/** Whether machines share its store: any of them may take the run on. */
	readonly shared: boolean;
	/** True when the base branch holds all that the run merged. */
	readonly landed: boolean;
	/** Whether a worker is still to land it: of a run of several machines that completed, with `merge.into: base`. */
	readonly landing_awaited: boolean;
	/** Why a run with `merge.into: base` that completed now could not be landed; null otherwise. */
	readonly landing_refused: string | null;
	/** True once its branches and checkouts were removed. */
	readonly pruned: boolean;
	/** Its outputs, transcripts and traces were removed by `spar prune` or `keep_runs`; the records tell all the same. */
	readonly files_removed: boolean;
	/** The sum over its tasks. */
	readonly usage: UsageReport;
	/** null without a budget of the run. */
	readonly budget: BudgetReport | null;
	/** What stopped the run before its first call; null where nothing did, or once the run goes on. */
	readonly preflight_stopped: StoppedPreflight | null;
	/** What is kept of setups for all runs of the repository. */
	readonly setup_cache: SetupCacheReport;
	readonly tasks: Readonly<Record<string, TaskReport>>;
}

/** What became of mutants on changed lines. A number counts mutants that were run. */
export interface MutationReport extends MutantsJson {
	/** Which evidence says so, such as `mutation:built-in`. */
	readonly check: string;
	readonly status: EvidenceStatus;
	/** Null where the status is `pass`. */
	readonly reason: string | null;
}

/** What was used up so far. A number is null where nobody knows it, never 0. */
export interface UsageReport {
	/** Finished calls of agents, failed ones included. */
	readonly calls: number;
	/** US dollars, of the calls whose cost is known. */
	readonly cost_usd: number | null;
	readonly unknown_cost_calls: number;
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	/** Time in which a process worked on it, in milliseconds; checks and setups included. */
	readonly ms: number;
}

/** A budget with what people added to it, and what was used of it; null for a limit that is not set. */
export interface BudgetReport {
	readonly usd: { readonly limit: number; readonly spent: number | null } | null;
	/** Milliseconds in which a process held the run, or worked on the task. */
	readonly wall: { readonly limit_ms: number; readonly spent_ms: number } | null;
}

/** Which difference of a task, and for whom. */
export interface DiffOptions {
	readonly turn?: number | undefined;
	readonly runId?: string | undefined;
	/**
	 * For `git apply`, not to be read: binary files whole, and in a line that is not UTF-8 each byte from 0x80 on as a low
	 * surrogate, U+DC80 to U+DCFF.
	 */
	readonly forApply?: boolean | undefined;
}

export interface TaskReport {
	/** The task's `feature_id`; null without one. */
	readonly feature_id: string | null;
	readonly status: TaskStatus;
	readonly phase: TaskPhase;
	readonly turns: number;
	readonly success: boolean | null;
	readonly failure_reason: string | null;
	/**
	 * Why its last turn was not approved, or not merged, one sentence each: checks, findings, blocked changes, a refused
	 * merge. Empty where nothing is in the way, and while the turn is judged.
	 */
	readonly obstacles: readonly string[];
	/** Those of them that are changes which the tamper wall blocks, with the file in front. */
	readonly blocked_changes: readonly string[];
	/** null for a task that is not blocked. */
	readonly blocked_by: BlockedBy | null;
	readonly flags: readonly string[];
	readonly branch: string;
	readonly commit: string | null;
	readonly merged: boolean;
	/** What landed on the integration branch: the approved turn's work on top of what was merged before it. */
	readonly merged_commit: string | null;
	readonly challenger_approved: boolean | null;
	/** Of the last turn that was scored, from 0.0 to 1.0; null where nothing is scored. */
	readonly confidence_score: number | null;
	/** What made that score lower than it reads, such as an evaluator that failed; one sentence each. */
	readonly confidence_warnings: readonly string[];
	/** The items of its checklist as the last turn left them; empty without one. */
	readonly checklist: readonly ChecklistResult[];
	readonly verification: "passed" | "failed" | "skipped" | "inconclusive" | null;
	/** Of the last turn in which verification was decided; null before. */
	readonly verification_result: VerificationReport | null;
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
	readonly open_findings: number;
	readonly human_item: string | null;
	/** True while that question has an answer which no process has acted on yet: `resume` does. */
	readonly human_item_answered: boolean;
	/**
	 * Absolute path of the player's checkout while it is there; null before the task began, once its work has merged,
	 * and of a formal review.
	 */
	readonly checkout: string | null;
	/** What the player was unsure of in its last turn, in its own words; nothing that Sparring looked at. */
	readonly concerns: readonly string[];
	/** What the player claimed in its last turn and is not so, one sentence each. */
	readonly false_claims: readonly string[];
	/** What the base's own tests showed on the newest product; null while they were not run on it. */
	readonly replay: EvidenceStatus | null;
	/** What became of mutants on the lines that the newest turn changed; null where none were run. */
	readonly mutation: MutationReport | null;
	/** Cases of the newest turn that count for nothing, one sentence for each check: known failing, skipped, missing. */
	readonly not_counted: readonly string[];
	/** Relative to the repository; null when the files of the run were removed. */
	readonly trace_path: string | null;
	readonly usage: UsageReport;
	/** null without a budget of its own. */
	readonly budget: BudgetReport | null;
}

export interface RunSummary {
	readonly run_id: string;
	readonly workflow: string;
	readonly status: RunStatus;
	readonly base: string;
	/** The process that works on the run, as `host:pid`; null when none does. */
	readonly holder: string | null;
	/** See `RunReport`. */
	readonly shared: boolean;
	readonly created_at: string;
	readonly ended_at: string | null;
	readonly landed: boolean;
	readonly tasks: {
		readonly total: number;
		readonly completed: number;
		readonly failed: number;
		/** They depend on one that failed, was cancelled or was not merged. */
		readonly blocked: number;
		readonly cancelled: number;
		/** They wait for a person. */
		readonly waiting: number;
		/** Those of them whose question has an answer which no process has acted on yet: `resume` does. */
		readonly answered: number;
	};
}

/** What a caller may watch and stop. `signal` aborts: agents and checks end at once, everything done so far is kept. */
export interface Supervision {
	readonly onEvent?: EventListener | undefined;
	/** Told once, before any event, what happened in the run until now; a new run has nothing to tell. */
	readonly onHistory?: ((events: readonly StoredEvent[]) => void) | undefined;
	/** Remarks for people: uncommitted changes, submodules, a cassette that masking changed. One sentence each. */
	readonly onNotice?: ((text: string) => void) | undefined;
	/**
	 * Asked before the first call whether to go on with these problems; false stops the run there. Left out where nobody
	 * can be asked. Not called with people off.
	 */
	readonly onPreflight?: ((problems: readonly PreflightProblem[]) => Promise<boolean>) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Told of a task that an error stopped. The other tasks go on; at their end the run rejects with the first such error. */
	readonly onStopped?: ((taskId: string, error: unknown) => void) | undefined;
}

export interface RunOptions extends Supervision {
	readonly source: WorkflowSource | ReadWorkflow;
	/** Run only these and what they depend on. */
	readonly taskIds?: readonly string[] | undefined;
	/** Replaces each task's bound; 1 or more. */
	readonly maxTurns?: number | undefined;
	/** Replaces the workflow's `max_parallel`, how many tasks may be in work at once; 1 to 256. */
	readonly maxParallel?: number | undefined;
	/** Writes a cassette of every agent call; relative to the caller's directory. */
	readonly recordFile?: string | undefined;
	/** Goes on whatever the preflight finds; a task without its seats fails. */
	readonly anyway?: boolean | undefined;
	/** Returns once the run is stored; workers of this or other machines take its tasks. Needs `SPAR_STORE`. */
	readonly detach?: boolean | undefined;
}

export interface ResumeOptions extends Supervision {
	/** Default: the only run that has not ended. */
	readonly runId?: string | undefined;
	/** Reopens failed tasks with this many turns in all. */
	readonly maxTurns?: number | undefined;
	/** Most tasks in work at once in this call; 1 to 256. Default: as the run began. */
	readonly maxParallel?: number | undefined;
	/** Agents of the workflow, or coding agents, that play and coach from now on in the tasks that are left. */
	readonly player?: string | undefined;
	readonly coach?: string | undefined;
	/** Model of that player; else of that coach; else of those who play now. */
	readonly model?: string | undefined;
	/** See `RunOptions`. */
	readonly anyway?: boolean | undefined;
}

export interface LandOptions extends Supervision {
	/** Default: the newest run. */
	readonly runId?: string | undefined;
}

/** A task's trace as it is written to `.sparring/traces/<task>.json`. */
export interface TraceFile {
	readonly schema_version: 1;
	readonly run_id: string;
	readonly task_id: string;
	/** The task's `feature_id`; null without one. */
	readonly feature_id: string | null;
	readonly status: TaskStatus;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	readonly turns: number;
	/** Of the last turn in which verification was decided; null before. */
	readonly verification_result: VerificationReport | null;
	/** Calls by agent name. */
	readonly agent_invocations: Readonly<Record<string, number>>;
	/** True where the files that the events name, such as transcripts, were removed; left out otherwise. */
	readonly files_removed?: boolean;
	readonly events: readonly StoredEvent[];
}

export interface LandReport {
	readonly run_id: string;
	/** `landed`; `already_landed`; `refused` with the reason (conflict with a moved base, red checks). */
	readonly outcome: "landed" | "already_landed" | "refused";
	/** Short name of the base branch. */
	readonly branch: string;
	/** On which it landed there; null: in this repository. */
	readonly remote: string | null;
	readonly commit: string | null;
	readonly reason: string | null;
	/** What commits made by hand on the integration branch undo of the merged tasks, as far as it can be known. */
	readonly undone: readonly UndoneWork[];
}

/**
 * Sparring on one repository: what the CLI does, as a library. Made by `openSparring`.
 *
 * Every method rejects with a `Fault` when something outside keeps it from working; a task that failed is not a
 * fault but a part of the report. Without a run id the newest run is meant (`resume`: the only one not ended).
 */
export interface Sparring {
	/** Absolute path of the repository's work tree. */
	readonly root: string;
	/** Reads a workflow. To run exactly what was read, give `run` and `plan` the source `{ kind: "loaded", workflow }`. */
	load(source: WorkflowSource): Promise<LoadedWorkflow>;
	/**
	 * `load`, and what keeps the base commit's filters from running, as errors in `.gitattributes`. Tells which files of
	 * the base commit are on the tests' side.
	 */
	validate(source: WorkflowSource): Promise<ValidatedWorkflow>;
	plan(options: RunOptions): Promise<RunPlan>;
	/** Asks a planner for tasks, and adds them to the workflow file; `report` is null when the file has errors. */
	planTasks(
		options: PlanOptions,
	): Promise<{ readonly loaded: LoadedWorkflow; readonly report: PlanReport | null }>;
	/** Sets flags in the workflow file, then tells how its tasks stand; `report` is null when the file has errors. */
	approve(
		options: ApprovalOptions,
	): Promise<{ readonly loaded: LoadedWorkflow; readonly report: ApprovalReport | null }>;
	/** Resolves when nothing more can happen by itself. Rejects with the signal's reason when aborted. */
	run(options: RunOptions): Promise<RunReport>;
	resume(options: ResumeOptions): Promise<RunReport>;
	status(runId?: string): Promise<RunReport>;
	/** All that reviewers want to know of a run; the formats of `spar report` are made of it. */
	result(runId?: string): Promise<RunResult>;
	runs(): Promise<readonly RunSummary[]>;
	trace(task: string, runId?: string): Promise<TraceFile>;
	/** Where a task stands in the newest run that has it, also after its end; null for a task that no run has. */
	loadState(task: string): Promise<LoadedState | null>;
	/** Unified diff of the task against its start; with `turn`, of that turn against the one before. */
	diff(task: string, options?: DiffOptions): Promise<string>;
	/** The gate's report of the task's newest turn that has one; null when no gate has looked at it. */
	gate(task: string, runId?: string): Promise<GateReport | null>;
	/** Every finding of the task, in the order they were raised. */
	findings(task: string, runId?: string): Promise<readonly FindingReport[]>;
	/** Events of a run in their order, those with an id above `after`. */
	events(runId?: string, after?: number): Promise<readonly StoredEvent[]>;
	/** Files with what calls, checks and setups of a task printed, the one that changed last at the end. */
	logs(task: string, runId?: string): Promise<readonly TaskLog[]>;
	/** Text of a log from a byte on, to its present end; `""` where it has gone. */
	readLog(log: Pick<TaskLog, "path">, from?: number): Promise<string>;
	/** What calls, checks and setups of the running tasks said last, by task; of these tasks alone where they are named. */
	lastSaid(runId: string, taskIds?: readonly string[]): Promise<ReadonlyMap<string, LastSaid>>;
	/** How often scores turned out right, over all runs, by agent and metric. */
	calibration(): Promise<readonly Calibration[]>;
	land(options: LandOptions): Promise<LandReport>;
	/** Pushes what `land` would land, and opens a pull request or updates the one that is open. Moves no local branch. */
	propose(options: LandOptions & { readonly remote?: string | undefined }): Promise<ProposeReport>;
	/** Asks the holder to stop and waits until it did; a run that nobody holds is cancelled at once. */
	cancel(runId?: string): Promise<RunReport>;
	/** Of ended runs what they left on the disk and in git. */
	prune(options: PruneOptions): Promise<PruneReport>;
	items(runId?: string): Promise<readonly HumanItem[]>;
	item(id: string): Promise<HumanItem>;
	resolveItem(id: string, request: AnswerRequest): Promise<HumanItem>;
	rejectItem(id: string, reason: string, proof?: RejectionProof): Promise<HumanItem>;
	/** What a person sees of an open item, and of the work that it is about, as one word that changes with it. */
	itemVersion(id: string): Promise<string>;
	ackItem(id: string): Promise<HumanItem>;
	/**
	 * Closes the database. Runs under way are aborted, and it is closed once they have ended: they reject with a Fault,
	 * and `resume` takes them on. A later call opens it again.
	 */
	close(): void;
}

export interface OpenOptions {
	/** Any directory inside the repository. */
	readonly directory: string;
	/** The caller's environment: source of the children's allow-list and of known secrets. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Readers open the database read-only and find no run when there is none yet. */
	readonly readOnly?: boolean;
	/** Told of each workflow that is loaded, with its secrets: what it names must not be printed from then on. */
	readonly onWorkflow?: (workflow: Workflow) => void;
}
