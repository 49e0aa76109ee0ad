import type { AgentValues } from "../agents/agent.ts";
import type { RunStream } from "./run-stream.ts";
import type { OpenOptions, ResumeOptions, RunOptions, RunReport, Sparring } from "./sparring.ts";
import type { TaskResult } from "./task-result.ts";

/** How a program opens Sparring. */
export interface LibraryOptions extends OpenOptions {
	/**
	 * Agents of the program's own, by the name that seats give them. A value stands in for whatever the workflow file
	 * says of how that agent is reached; its `timeout`, `env` and `fallback` still count. The file may leave it out.
	 *
	 * A run that was started with a value needs it again to be resumed.
	 */
	readonly agents?: AgentValues | undefined;
}

/** How named tasks are run: as by `run`, from `sparring.yaml` at the root unless `source` says otherwise. */
export interface RunTasksOptions extends Omit<RunOptions, "taskIds" | "source" | "detach"> {
	readonly source?: RunOptions["source"] | undefined;
}

export interface RunTaskOptions extends RunTasksOptions {
	/** Replaces the task's `feature_id` in its record, trace and reports; one line. The tasks it depends on keep theirs. */
	readonly featureId?: string | undefined;
}

export type ResumeTaskOptions = Omit<ResumeOptions, "runId">;

/** Sparring for programs, made by `openSparring`: what the command line does, tasks by name, and events as a stream. */
export interface SparringLibrary extends Sparring {
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
}
