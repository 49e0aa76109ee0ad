import { resolve } from "node:path";
import type { AgentValues } from "../agents/agent.ts";
import type { RunOptions, Supervision } from "../drive/run-options.ts";
import { Fault } from "../kernel/fault.ts";
import { findRun, noRuns } from "../places/find-run.ts";
import type { LoadedWorkflow, WorkflowSource } from "../places/load-source.ts";
import { hasStore, type Places, placesOf } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import type { RunReport } from "../view/report.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { OpenReview } from "./review-work.ts";

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

interface FoundTask extends Pick<Store, "records" | "blobs"> {
	readonly run: RunRecord;
	readonly of: Pick<TaskRecord, "runId" | "taskId">;
}

/** The repository that a program has opened: what verbs work on. */
export class Opened {
	readonly root: string;
	readonly directory: string;
	readonly places: Places;
	readonly env: LibraryOptions["env"];
	readonly values: AgentValues;
	readonly onLoaded: ((workflow: Workflow) => void) | undefined;
	/** Opens another repository. */
	readonly open: OpenReview;
	/** Runs whose seats this process has tried. */
	readonly tried = new Set<string>();
	readonly #readOnly: boolean;
	readonly #calls = new OpenCalls();
	#store: Promise<Store> | null = null;

	constructor(options: LibraryOptions, root: string, open: Opened["open"]) {
		this.root = root;
		this.directory = resolve(options.directory);
		this.places = placesOf(root, options.env);
		this.env = options.env;
		this.values = { ...options.agents };
		this.onLoaded = options.onWorkflow;
		this.open = open;
		this.#readOnly = options.readOnly ?? false;
	}

	/** The repository alone. A copy of the object itself would have no methods. */
	get place(): Pick<Opened, "root" | "directory" | "places" | "env" | "values"> {
		const { root, directory, places, env, values } = this;
		return { root, directory, places, env, values };
	}

	/** The database; it is made by the first run. */
	openStore(): Promise<Store> {
		this.#store ??= import("../places/store.ts")
			.then(({ openStore }) => openStore(this.places, { readOnly: this.#readOnly }))
			.catch((error: unknown) => {
				this.#store = null;
				throw error;
			});
		return this.#store;
	}

	/** Tells whether the database was opened by this object. */
	isOpen(): boolean {
		return this.#store !== null;
	}

	/** Null where nothing was run before. */
	async records(): Promise<Store["records"] | null> {
		return this.isOpen() || hasStore(this.places) ? (await this.openStore()).records : null;
	}

	/** The database of a repository in which something was run before. @throws Fault `run-not-found` */
	async existing(): Promise<Store> {
		if ((await this.records()) === null) throw noRuns();
		return await this.openStore();
	}

	/** The named run, or the newest. @throws Fault `run-not-found` */
	async run(runId: string | undefined): Promise<RunRecord> {
		return await findRun((await this.existing()).records, runId);
	}

	/** A task of a run, of the newest where none is named. @throws Fault `task-not-found` */
	async task(taskId: string, runId: string | undefined): Promise<FoundTask> {
		const { records, blobs } = await this.existing();
		const run = await findRun(records, runId);
		const tasks = await records.tasks(run.runId);
		if (tasks.some((task) => task.taskId === taskId))
			return { records, blobs, run, of: { runId: run.runId, taskId } };
		throw new Fault(`run ${run.runId} has no task ${taskId}`, {
			code: "task-not-found",
			hint: `Its tasks are: ${tasks.map((task) => task.taskId).join(", ")}`,
		});
	}

	/** @param landingRefused why the run could not be landed just now */
	async report(run: RunRecord, landingRefused: string | null = null): Promise<RunReport> {
		const { presentReport } = await import("./present-report.ts");
		const report = await presentReport(await this.existing(), this.places, { run, landingRefused });
		return await this.withFiles(run.runId, report);
	}

	/** In this clone, too, where the store that machines share has the files that the value names. */
	async withFiles<T>(runId: string, value: T): Promise<T> {
		const { blobs, machines } = await this.openStore();
		if (machines === null) return value;
		const { bringFiles } = await import("../machines/bring-files.ts");
		await bringFiles(blobs, this.places, { runId, value });
		return value;
	}

	async load(source: WorkflowSource, mayLackTasks = false): Promise<LoadedWorkflow> {
		const { loadSource } = await import("../places/load-source.ts");
		const loaded = await loadSource(source, { ...this.place, mayLackTasks });
		if (loaded.workflow !== null) this.onLoaded?.(loaded.workflow);
		return loaded;
	}

	/** @throws Fault `workflow-invalid` */
	async workflowOf(source: RunOptions["source"]): Promise<Workflow> {
		if (source.kind === "loaded") {
			this.onLoaded?.(source.workflow);
			return source.workflow;
		}
		const { requireWorkflow } = await import("../places/load-source.ts");
		return requireWorkflow(await this.load(source), source);
	}

	/** Does some work that `close` aborts, and that has the database until it has ended. */
	async during<Options extends Pick<Supervision, "signal">, T>(
		options: Options,
		work: (supervised: Options) => Promise<T>,
	): Promise<T> {
		options.signal?.throwIfAborted();
		return await this.#calls.during(options, work);
	}

	close(): void {
		this.#calls.end(() => {
			const store = this.#store;
			this.#store = null;
			// Whoever waited for it has been told why it could not be opened.
			void store?.then((opened) => opened.close()).catch(() => undefined);
		});
	}
}

class OpenCalls {
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
