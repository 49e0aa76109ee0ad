import type { Workflow } from "../workflow/workflow.ts";
import type { ResumeTaskOptions, SparringLibrary } from "./library.ts";
import { type RunStream, runStream } from "./run-stream.ts";
import type { ResumeOptions, RunOptions, RunReport } from "./sparring.ts";
import { SparringReader } from "./sparring-reader.ts";
import type { TaskResult } from "./task-result.ts";
import type { TaskRunner } from "./task-runs.ts";

/** Other ways to run and to resume: tasks by name, and as a stream of events. */
export abstract class SparringTasks extends SparringReader {
	abstract run(options: RunOptions): Promise<RunReport>;

	protected abstract resumeRun(options: ResumeOptions): Promise<RunReport>;

	/** The workflow of a source without errors. */
	protected abstract workflowOf(source: RunOptions["source"]): Promise<Workflow>;

	async runTask(
		taskId: string,
		options: Parameters<SparringLibrary["runTask"]>[1] = {},
	): ReturnType<SparringLibrary["runTask"]> {
		const { runTask } = await import("./task-runs.ts");
		return await runTask(this.#runner(), taskId, options);
	}

	async runParallel(
		taskIds: readonly string[],
		options: Parameters<SparringLibrary["runParallel"]>[1] = {},
	): ReturnType<SparringLibrary["runParallel"]> {
		const { runParallel } = await import("./task-runs.ts");
		return await runParallel(this.#runner(), taskIds, options);
	}

	#runner(): TaskRunner {
		return {
			workflowOf: (source) => this.workflowOf(source),
			run: (options) => this.run(options),
			stopped: (runId) => this.#stopped(runId),
		};
	}

	/** A run that an error stopped wrote no traces at its end. */
	async #stopped(runId: string): Promise<RunReport> {
		const { writeTraces } = await import("./trace-file.ts");
		await writeTraces(this.existing(), runId);
		return await this.status(runId);
	}

	resume(options: ResumeOptions): Promise<RunReport>;
	resume(taskId: string, options?: ResumeTaskOptions): Promise<TaskResult>;
	async resume(
		asked: ResumeOptions | string,
		options: ResumeTaskOptions = {},
	): Promise<RunReport | TaskResult> {
		if (typeof asked !== "string") return await this.resumeRun(asked);
		const { resumeTask } = await import("./task-runs.ts");
		const resumer = {
			records: this.existing().records,
			resume: (all: ResumeOptions) => this.resumeRun(all),
			status: (runId: string) => this.status(runId),
			stopped: (runId: string) => this.#stopped(runId),
		};
		return await resumeTask(resumer, asked, options);
	}

	stream(options: RunOptions | ResumeOptions): RunStream {
		return runStream(
			(supervision) =>
				"source" in options
					? this.run({ ...options, ...supervision })
					: this.resumeRun({ ...options, ...supervision }),
			options,
		);
	}
}
