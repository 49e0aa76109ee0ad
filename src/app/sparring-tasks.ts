import { Fault } from "../kernel/fault.ts";
import type { Workflow } from "../workflow/workflow.ts";
import {
	requireResumeOptions,
	requireRunOptions,
	requireRunTaskOptions,
	requireStreamOptions,
	requireText,
	requireTexts,
} from "./arguments.ts";
import type { ResumeTaskOptions, SparringLibrary } from "./library.ts";
import { type RunStream, runStream } from "./run-stream.ts";
import type { ResumeOptions, RunOptions, RunReport, Supervision } from "./sparring.ts";
import { SparringReader } from "./sparring-reader.ts";
import type { TaskResult } from "./task-result.ts";
import type { TaskRunner } from "./task-runs.ts";

class OpenCalls {
	#ending = new AbortController();
	#count = 0;
	#afterwards: (() => void) | null = null;

	async during<T>(
		own: AbortSignal | undefined,
		work: (signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		const ending = this.#ending.signal;
		this.#count += 1;
		try {
			return await work(own === undefined ? ending : AbortSignal.any([own, ending]));
		} finally {
			this.#count -= 1;
			if (this.#count === 0) this.#afterwards?.();
		}
	}

	/**
	 * Aborts the open calls. New ones may begin at any time.
	 *
	 * @param afterwards called once none is open: now, or when the last of them has settled
	 */
	end(reason: Error, afterwards: () => void): void {
		if (this.#count === 0) {
			afterwards();
			return;
		}
		this.#afterwards = () => {
			this.#afterwards = null;
			afterwards();
		};
		this.#ending.abort(reason);
		this.#ending = new AbortController();
	}
}

const closedWhileWorking = (): Fault =>
	new Fault("Sparring was closed while it worked", {
		code: "usage",
		hint: "Everything done so far is kept: `resume` takes the run on. Call close() once its calls have settled.",
	});

export abstract class SparringTasks extends SparringReader {
	readonly #open = new OpenCalls();

	protected abstract startRun(options: RunOptions): Promise<RunReport>;

	protected abstract resumeRun(options: ResumeOptions): Promise<RunReport>;

	/** The workflow of a source without errors. */
	protected abstract workflowOf(source: RunOptions["source"]): Promise<Workflow>;

	async run(options: RunOptions): Promise<RunReport> {
		requireRunOptions("run", options);
		options.signal?.throwIfAborted();
		return await this.untilClosed(options, (supervised) => this.startRun(supervised));
	}

	async runTask(
		taskId: string,
		options: Parameters<SparringLibrary["runTask"]>[1] = {},
	): ReturnType<SparringLibrary["runTask"]> {
		requireText("runTask", "taskId", taskId);
		requireRunTaskOptions("runTask", options);
		options.signal?.throwIfAborted();
		const { runTask } = await import("./task-runs.ts");
		return await runTask(this.#runner(), taskId, options);
	}

	async runParallel(
		taskIds: readonly string[],
		options: Parameters<SparringLibrary["runParallel"]>[1] = {},
	): ReturnType<SparringLibrary["runParallel"]> {
		requireTexts("runParallel", "taskIds", taskIds);
		requireRunTaskOptions("runParallel", options);
		options.signal?.throwIfAborted();
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

	async #resumeRun(options: ResumeOptions): Promise<RunReport> {
		return await this.untilClosed(options, (supervised) => this.resumeRun(supervised));
	}

	/** Does some work that `close` ends, and that has the database until it has ended. */
	protected async untilClosed<Options extends Pick<Supervision, "signal">, T>(
		options: Options,
		work: (supervised: Options) => Promise<T>,
	): Promise<T> {
		return await this.#open.during(options.signal, (signal) => work({ ...options, signal }));
	}

	override close(): void {
		this.#open.end(closedWhileWorking(), () => super.close());
	}

	/** A run that an error stopped wrote no traces at its end. */
	async #stopped(runId: string): Promise<RunReport> {
		const { writeTraces } = await import("./trace-file.ts");
		await writeTraces(await this.existing(), runId);
		return await this.status(runId);
	}

	resume(options: ResumeOptions): Promise<RunReport>;
	resume(taskId: string, options?: ResumeTaskOptions): Promise<TaskResult>;
	async resume(
		asked: ResumeOptions | string,
		options: ResumeTaskOptions = {},
	): Promise<RunReport | TaskResult> {
		const all = typeof asked === "string" ? options : asked;
		requireResumeOptions("resume", all);
		all.signal?.throwIfAborted();
		if (typeof asked !== "string") return await this.#resumeRun(asked);
		const { resumeTask } = await import("./task-runs.ts");
		const resumer = {
			records: (await this.existing()).records,
			resume: (forRun: ResumeOptions) => this.#resumeRun(forRun),
			status: (runId: string) => this.status(runId),
			stopped: (runId: string) => this.#stopped(runId),
		};
		return await resumeTask(resumer, asked, options);
	}

	stream(options: RunOptions | ResumeOptions): RunStream {
		try {
			requireStreamOptions(options);
		} catch (error) {
			// As any other reason for which a run cannot begin.
			return runStream(() => Promise.reject(error), {});
		}
		return runStream(
			(supervision) =>
				"source" in options
					? this.run({ ...options, ...supervision })
					: this.resume({ ...options, ...supervision }),
			options,
		);
	}
}
