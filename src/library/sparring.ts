import type { ResumeOptions, RunOptions } from "../drive/run-options.ts";
import type { LoadedWorkflow, WorkflowSource } from "../places/load-source.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { RunReport } from "../view/report.ts";
import type { LoadedState } from "./load-state.ts";
import type { LastSaid, TaskLog } from "./task-logs.ts";
import type { TaskResult } from "./task-result.ts";
import type { VerbMethods } from "./verbs/table.ts";

/**
 * Sparring on one repository: what the command line does, tasks by name, and events as a stream. Made by `openSparring`.
 *
 * Every method rejects with a `Fault` when something outside keeps it from working; a task that failed is not a
 * fault but a part of the report. Without a run id the newest run is meant (`resume`: the only one not ended).
 */
export interface Sparring extends Omit<VerbMethods, "resume"> {
	/** Absolute path of the repository's work tree. */
	readonly root: string;
	/** Reads a workflow. To run exactly what was read, give `run` and `plan` the source `{ kind: "loaded", workflow }`. */
	load(source: WorkflowSource): Promise<LoadedWorkflow>;
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
	/** State of a task in the newest run that has it, also after its end; null for a task that no run has. */
	loadState(task: string): Promise<LoadedState | null>;
	/** Text of a log from a byte on, to its present end; `""` where it has gone. */
	readLog(log: Pick<TaskLog, "path">, from?: number): Promise<string>;
	/** Last words of calls, checks and setups of the running tasks, by task; of these tasks alone where they are named. */
	lastSaid(runId: string, taskIds?: readonly string[]): Promise<ReadonlyMap<string, LastSaid>>;
	/** One word that changes with what a person sees of an open item and of its work. */
	itemVersion(id: string): Promise<string>;
	/**
	 * Closes the database. Runs under way are aborted, and it is closed once they have ended: they reject with a Fault,
	 * and `resume` takes them on. A later call opens it again.
	 */
	close(): void;
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
