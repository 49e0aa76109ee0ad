import type { AgentValues } from "../agents/agent.ts";
import type { RunOptions, Supervision } from "../drive/run-options.ts";
import { Fault } from "../kernel/fault.ts";
import { findRun } from "../places/find-run.ts";
import type { Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import type { RunRecord } from "../store/records.ts";
import type { RunReport } from "../view/report.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface Opened {
	readonly root: string;
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	readonly onLoaded: ((workflow: Workflow) => void) | undefined;
	workflowOf(source: RunOptions["source"]): Promise<Workflow>;
	/** The database; it is made by the first run. */
	openStore(): Promise<Store>;
	/** Tells whether the database was opened by this object. */
	isOpen(): boolean;
	/** Null where nothing was run before. */
	records(): Promise<Store["records"] | null>;
	/** The database of a repository in which something was run before. @throws Fault `run-not-found` */
	existing(): Promise<Store>;
	/** @param landingRefused why the run could not be landed just now */
	report(run: RunRecord, landingRefused?: string | null): Promise<RunReport>;
	/** In this clone, too, where the store that machines share has the files that the value names. */
	withFiles<T>(runId: string, value: T): Promise<T>;
	readonly tried: Set<string>;
}

/** Standing of a run, of the newest where none is named. @throws Fault `run-not-found` */
export async function reportOf(own: Opened, runId: string | undefined): Promise<RunReport> {
	return await own.report(await findRun((await own.existing()).records, runId));
}

/** A task of a run, of the newest where none is named. @throws Fault `task-not-found` */
export async function findTask(own: Opened, task: string, runId: string | undefined) {
	const { records, blobs } = await own.existing();
	const run = await findRun(records, runId);
	const tasks = await records.tasks(run.runId);
	if (tasks.some(({ taskId }) => taskId === task))
		return { records, blobs, run, of: { runId: run.runId, taskId: task } };
	throw new Fault(`run ${run.runId} has no task ${task}`, {
		code: "task-not-found",
		hint: `Its tasks are: ${tasks.map(({ taskId }) => taskId).join(", ")}`,
	});
}

export class OpenCalls {
	#ending = new AbortController();
	#count = 0;
	#afterwards: (() => void) | null = null;

	/** Does some work that `end` aborts, and that has the database until it has ended. */
	async during<Options extends Pick<Supervision, "signal">, T>(
		options: Options,
		work: (supervised: Options) => Promise<T>,
	): Promise<T> {
		const ending = this.#ending.signal;
		this.#count += 1;
		try {
			const { signal: own } = options;
			const signal = own === undefined ? ending : AbortSignal.any([own, ending]);
			return await work({ ...options, signal });
		} finally {
			this.#count -= 1;
			if (this.#count === 0) this.#afterwards?.();
		}
	}

	/** Aborts the open calls; calls `afterwards` once none is open. New ones may begin at any time. */
	end(afterwards: () => void): void {
		if (this.#count === 0) {
			afterwards();
			return;
		}
		this.#afterwards = () => {
			this.#afterwards = null;
			afterwards();
		};
		this.#ending.abort(closedWhileWorking());
		this.#ending = new AbortController();
	}
}

const closedWhileWorking = (): Fault =>
	new Fault("Sparring was closed while it worked", {
		code: "usage",
		hint: "Everything done so far is kept: `resume` takes the run on. Call close() once its calls have settled.",
	});
