import type { AgentValues } from "../agents/agent.ts";
import type { Calibration } from "../confidence/calibration-of.ts";
import type { ResumeOptions, RunOptions, RunPlan } from "../drive/run-options.ts";
import type { TraceFile } from "../drive/trace-file.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { HumanItem } from "../human/human-item.ts";
import type { PruneOptions, PruneReport } from "../landing/archive-work.ts";
import type { LandOptions, LandReport } from "../landing/land-run.ts";
import type { ProposeReport } from "../landing/propose-run.ts";
import type { LoadedWorkflow, WorkflowSource } from "../places/load-source.ts";
import type {
	ApprovalOptions,
	ApprovalReport,
	PlanOptions,
	PlanReport,
} from "../planning/planning-reports.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { CheckOptions } from "../verdict/check-bench.ts";
import type { CheckReport } from "../verdict/check-report.ts";
import type { RunReport, RunSummary } from "../view/report.ts";
import type { RunView } from "../view/run-view.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { AnswerRequest, RejectionProof } from "./answer-item.ts";
import type { LoadedState } from "./load-state.ts";
import type { LastSaid, TaskLog } from "./task-logs.ts";
import type { TaskResult } from "./task-result.ts";
import type { ValidatedWorkflow } from "./validate-source.ts";

export interface DiffOptions {
	readonly turn?: number | undefined;
	readonly runId?: string | undefined;
	/**
	 * For `git apply`, not to be read: binary files whole, and in a line that is not UTF-8 each byte from 0x80 on as a low
	 * surrogate, U+DC80 to U+DCFF.
	 */
	readonly forApply?: boolean | undefined;
}

/**
 * Sparring on one repository: what the command line does, tasks by name, and events as a stream. Made by `openSparring`.
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
	/**
	 * Runs a task, and first what it depends on, in a run of its own. Without `maxTurns` the workflow's bound holds.
	 *
	 * A task that fails is a result, and so is one that an error stops. It rejects with a Fault where no run can be made or go on (`task-not-found`,
	 * `workflow-invalid`, `preflight-refused`, ...), and with the signal's reason when aborted.
	 *
	 * @example `const { success, failureReason } = await sparring.runTask("limiter", { maxTurns: 3 })`
	 */
	runTask(taskId: string, options?: RunTaskOptions): Promise<TaskResult>;
	/**
	 * Runs several tasks, and what they depend on, in one run: as many at once as the workflow allows. What one comes to
	 * keeps only its dependants from going on. Rejects like `runTask`; no tasks give `{}` and no run.
	 *
	 * @returns the results of the named tasks by id
	 */
	runParallel(
		taskIds: readonly string[],
		options?: RunTasksOptions,
	): Promise<Readonly<Record<string, TaskResult>>>;
	resume(options: ResumeOptions): Promise<RunReport>;
	/**
	 * Takes on the newest run that has this task. A task that has ended is left as it is, unless `maxTurns` reopens it.
	 *
	 * @throws Fault `task-not-found` for a task that no run has
	 */
	resume(taskId: string, options?: ResumeTaskOptions): Promise<TaskResult>;
	/**
	 * `run`, or `resume` where the options name no source, as a stream of its events.
	 *
	 * @example `for await (const event of sparring.stream({ source: { kind: "file" } })) console.log(event.type)`
	 */
	stream(options: RunOptions | ResumeOptions): RunStream;
	status(runId?: string): Promise<RunReport>;
	/**
	 * All that is told of a run; the formats of `spar report` and the page are made of it.
	 *
	 * @param tasks ids of the tasks that are told; left out: all
	 */
	result(runId?: string, tasks?: readonly string[]): Promise<RunView>;
	runs(): Promise<readonly RunSummary[]>;
	trace(task: string, runId?: string): Promise<TraceFile>;
	/** State of a task in the newest run that has it, also after its end; null for a task that no run has. */
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
	/** Last words of calls, checks and setups of the running tasks, by task; of these tasks alone where they are named. */
	lastSaid(runId: string, taskIds?: readonly string[]): Promise<ReadonlyMap<string, LastSaid>>;
	/** Rate at which scores turned out right, over all runs, by agent and metric. */
	calibration(): Promise<readonly Calibration[]>;
	/**
	 * Judges work that exists: what is not committed, the index, or a commit. No agent takes part that is not named, and
	 * nothing is left in the repository. Rejects with the signal's reason when aborted.
	 *
	 * @throws Fault `usage` where there is nothing to check, or no command to check it with
	 * @example `const { verdict, next } = await sparring.check({ rev: "topic", base: "main" })`
	 */
	check(options?: CheckOptions): Promise<CheckReport>;
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
	/** One word that changes with what a person sees of an open item and of its work. */
	itemVersion(id: string): Promise<string>;
	ackItem(id: string): Promise<HumanItem>;
	/**
	 * Closes the database. Runs under way are aborted, and it is closed once they have ended: they reject with a Fault,
	 * and `resume` takes them on. A later call opens it again.
	 */
	close(): void;
}

/** Settings with which a program opens Sparring. */
export interface LibraryOptions {
	/** Any directory inside the repository. */
	readonly directory: string;
	/** The caller's environment: source of the children's allow-list and of known secrets. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Readers open the database read-only and find no run when there is none yet. */
	readonly readOnly?: boolean;
	/** Told of each workflow that is loaded, with its secrets: what it names must not be printed from then on. */
	readonly onWorkflow?: (workflow: Workflow) => void;
	/**
	 * Agents of the program's own, by the name that seats give them. A value stands in for whatever the workflow file
	 * says of how that agent is reached; its `timeout`, `env` and `fallback` still count. The file may leave it out.
	 *
	 * A run that was started with a value needs it again to be resumed.
	 */
	readonly agents?: AgentValues | undefined;
}

/** Settings of a run of named tasks: as by `run`, from `sparring.yaml` at the root unless `source` says otherwise. */
export interface RunTasksOptions extends Omit<RunOptions, "taskIds" | "source" | "detach"> {
	readonly source?: RunOptions["source"] | undefined;
}

export interface RunTaskOptions extends RunTasksOptions {
	/** Replaces the task's `feature_id` in its record, trace and reports; one line. The tasks it depends on keep theirs. */
	readonly featureId?: string | undefined;
}

export type ResumeTaskOptions = Omit<ResumeOptions, "runId">;

/**
 * The events of a run while it goes on, in their order.
 *
 * The run begins when the stream is made, and the loop over it ends with the run. An error of the run rejects the
 * iteration, after the events before it. Leaving the loop (`break`, `return`, a thrown error) aborts the run: its agents
 * and checks have ended when the loop is left, and `resume` takes the run on.
 *
 * The run never waits for its reader: events that nobody has asked for yet stay in memory, a few hundred bytes each.
 */
export interface RunStream extends AsyncIterableIterator<StoredEvent, undefined> {
	/** State of the run at its end. Rejects as the iteration does, and when the loop was left. */
	readonly report: Promise<RunReport>;
	return(): Promise<IteratorResult<StoredEvent, undefined>>;
}
