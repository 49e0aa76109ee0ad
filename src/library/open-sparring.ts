import { resolve } from "node:path";
import type { ResumeOptions, RunOptions } from "../drive/run-options.ts";
import { Fault } from "../kernel/fault.ts";
import type { PruneOptions } from "../landing/archive-work.ts";
import type { LandOptions } from "../landing/land-run.ts";
import { findRoot } from "../places/find-root.ts";
import { findRun, isUnended, noRuns } from "../places/find-run.ts";
import type { WorkflowSource } from "../places/load-source.ts";
import { gitHost, hasOutputs, hasStore, placesOf } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import type { ApprovalOptions, PlanOptions } from "../planning/planning-reports.ts";
import type { RunRecord } from "../store/records.ts";
import type { RunReport } from "../view/report.ts";
import { runSummary } from "../view/run-summary.ts";
import type { RunView } from "../view/run-view.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { AnswerRequest, RejectionProof } from "./answer-item.ts";
import { requireOptions, requireShape, requireSource, TEXT, TEXTS } from "./arguments.ts";
import { OpenCalls, type Opened } from "./opened.ts";
import { runStream } from "./run-stream.ts";
import type {
	DiffOptions,
	LibraryOptions,
	ResumeTaskOptions,
	RunStream,
	RunTaskOptions,
	RunTasksOptions,
	Sparring,
} from "./sparring.ts";
import type { TaskLog } from "./task-logs.ts";
import type { TaskResult } from "./task-result.ts";

/**
 * Opens Sparring on the repository that a directory belongs to. Nothing is created by opening; heavy parts (git,
 * the workflow's schema, LangGraph) are loaded by the methods that need them.
 *
 * @throws Fault `not-a-repository`, and `usage` for options that are missing or of another type
 * @example `const sparring = await openSparring({ directory: ".", env: process.env })`
 */
export async function openSparring(options: LibraryOptions): Promise<Sparring> {
	requireOptions("openSparring", options);
	const root = findRoot(options.directory);
	if (root !== undefined) return new OpenedSparring(options, root);
	// Git explains best what is wrong: a bare repository, no repository, no directory.
	const { openRepository } = await import("../git/repository.ts");
	const repository = await openRepository(options.directory, gitHost(options.env));
	return new OpenedSparring(options, repository.root);
}

class OpenedSparring implements Sparring {
	readonly root: string;
	// Holds secrets, so it is not shown with the object.
	readonly #own: Opened;
	readonly #readOnly: boolean;
	readonly #calls = new OpenCalls();
	#store: Promise<Store> | null = null;

	constructor(options: LibraryOptions, root: string) {
		this.root = root;
		this.#readOnly = options.readOnly ?? false;
		const { env } = options;
		this.#own = {
			root,
			directory: resolve(options.directory),
			places: placesOf(root, env),
			env,
			values: { ...options.agents },
			onLoaded: options.onWorkflow,
			workflowOf: (source) => this.#workflowOf(source),
			openStore: () => this.#openStore(),
			records: async () => (this.#hasRuns() ? (await this.#openStore()).records : null),
			existing: () => this.#existing(),
			report: (run, landingRefused) => this.#report(run, landingRefused),
			tried: new Set(),
		};
	}

	#openStore(): Promise<Store> {
		const { places } = this.#own;
		this.#store ??= import("../places/store.ts")
			.then(({ openStore }) => openStore(places, { readOnly: this.#readOnly }))
			.catch((error: unknown) => {
				this.#store = null;
				throw error;
			});
		return this.#store;
	}

	#hasRuns(): boolean {
		return this.#store !== null || hasStore(this.#own.places);
	}

	async #existing(): Promise<Store> {
		if (!this.#hasRuns()) throw noRuns();
		return await this.#openStore();
	}

	async #report(run: RunRecord, landingRefused: string | null = null): Promise<RunReport> {
		const store = await this.#existing();
		const { presentReport } = await import("./present-report.ts");
		const report = await presentReport(store, this.#own.places, { run, landingRefused });
		return await this.#withFiles(run.runId, report);
	}

	// In this clone, too, where the store that machines share has them.
	async #withFiles<T>(runId: string, value: T): Promise<T> {
		const { blobs, machines } = await this.#openStore();
		if (machines === null) return value;
		const { bringFiles } = await import("../machines/bring-files.ts");
		await bringFiles(blobs, this.#own.places, { runId, value });
		return value;
	}

	async #runOf(task: string, runId: string | undefined) {
		const { records, blobs } = await this.#existing();
		const run = await findRun(records, runId);
		const tasks = await records.tasks(run.runId);
		if (tasks.some(({ taskId }) => taskId === task))
			return { records, blobs, run, of: { runId: run.runId, taskId: task } };
		throw new Fault(`run ${run.runId} has no task ${task}`, {
			code: "task-not-found",
			hint: `Its tasks are: ${tasks.map(({ taskId }) => taskId).join(", ")}`,
		});
	}

	async load(source: WorkflowSource, mayLackTasks = false) {
		requireSource("load", source);
		const { loadSource } = await import("../places/load-source.ts");
		const loaded = await loadSource(source, { ...this.#own, mayLackTasks });
		if (loaded.workflow !== null) this.#own.onLoaded?.(loaded.workflow);
		return loaded;
	}

	async validate(source: WorkflowSource) {
		requireSource("validate", source);
		const loaded = await this.load(source, true);
		const { againstBase } = await import("./validate-source.ts");
		return await againstBase(loaded, this.#own);
	}

	async #workflowOf(source: RunOptions["source"]): Promise<Workflow> {
		if (source.kind === "loaded") {
			this.#own.onLoaded?.(source.workflow);
			return source.workflow;
		}
		const loaded = await this.load(source);
		return (await import("../places/load-source.ts")).requireWorkflow(loaded, source);
	}

	async plan(options: RunOptions) {
		requireOptions("plan", options);
		return (await import("./take-forward.ts")).planRun(this.#own, options);
	}

	async planTasks(options: PlanOptions) {
		return (await import("../planning/plan-tasks.ts")).planTasks(options, this.#own);
	}

	async approve(options: ApprovalOptions) {
		return (await import("../planning/approvals.ts")).approveTasks(options, this.#own);
	}

	async run(options: RunOptions): Promise<RunReport> {
		requireOptions("run", options);
		options.signal?.throwIfAborted();
		return await this.#calls.during(options, async (supervised) => {
			return (await import("./take-forward.ts")).startRun(this.#own, supervised);
		});
	}

	async runTask(taskId: string, options: RunTaskOptions = {}) {
		requireShape("runTask", "taskId", taskId, TEXT);
		requireOptions("runTask", options);
		options.signal?.throwIfAborted();
		return (await import("./task-runs.ts")).runTask(this.#own, this, taskId, options);
	}

	async runParallel(taskIds: readonly string[], options: RunTasksOptions = {}) {
		requireShape("runParallel", "taskIds", taskIds, TEXTS);
		requireOptions("runParallel", options);
		options.signal?.throwIfAborted();
		return (await import("./task-runs.ts")).runParallel(this.#own, this, taskIds, options);
	}

	resume(options: ResumeOptions): Promise<RunReport>;
	resume(taskId: string, options?: ResumeTaskOptions): Promise<TaskResult>;
	async resume(
		asked: ResumeOptions | string,
		ofTask: ResumeTaskOptions = {},
	): Promise<RunReport | TaskResult> {
		const options = typeof asked === "string" ? ofTask : asked;
		requireOptions("resume", options);
		options.signal?.throwIfAborted();
		if (typeof asked === "string")
			return (await import("./task-runs.ts")).resumeTask(this.#own, this, asked, ofTask);
		return await this.#calls.during(asked, async (supervised) => {
			return (await import("./take-forward.ts")).resumeRun(this.#own, supervised);
		});
	}

	stream(options: RunOptions | ResumeOptions): RunStream {
		try {
			requireOptions("stream", options);
		} catch (error) {
			// As any other reason for which a run cannot begin.
			return runStream(() => Promise.reject(error), {});
		}
		return runStream(
			(told) =>
				"source" in options
					? this.run({ ...options, ...told })
					: this.resume({ ...options, ...told }),
			options,
		);
	}

	async status(runId?: string): Promise<RunReport> {
		return this.#report(await findRun((await this.#existing()).records, runId));
	}

	async result(runId?: string, tasks?: readonly string[]): Promise<RunView> {
		const { records } = await this.#existing();
		const run = await findRun(records, runId);
		const { readView } = await import("../view/read-view.ts");
		const { maskAllButNames } = await import("../store/mask-texts.ts");
		const { runMasker } = await import("../places/run-masker.ts");
		const view = await readView(records, run, await this.#report(run), tasks);
		return maskAllButNames(await runMasker(run, this.#own), view);
	}

	async runs() {
		if (!this.#hasRuns()) return [];
		const store = await this.#openStore();
		const all = { selection: "all", before: null, limit: 1_000_000 } as const;
		return Promise.all((await store.records.runPage(all)).map((run) => runSummary(store, run)));
	}

	async trace(task: string, runId?: string): ReturnType<Sparring["trace"]> {
		const { records, blobs, run } = await this.#runOf(task, runId);
		const { traceOf } = await import("../drive/trace-file.ts");
		const trace = await traceOf(records, run.runId, task);
		const isGone = !isUnended(run) && !(await hasOutputs(blobs, run.runId));
		return await this.#withFiles(run.runId, isGone ? { ...trace, files_removed: true } : trace);
	}

	async loadState(task: string) {
		requireShape("loadState", "taskId", task, TEXT);
		if (!this.#hasRuns()) return null;
		const { loadState } = await import("./load-state.ts");
		return loadState((await this.#openStore()).records, task);
	}

	async diff(task: string, options: DiffOptions = {}): Promise<string> {
		const { records, run } = await this.#runOf(task, options.runId);
		const { taskDiff } = await import("./task-diff.ts");
		const { openRepository } = await import("../git/repository.ts");
		const { bringShared } = await import("../places/remote-ground.ts");
		const { runMasker } = await import("../places/run-masker.ts");
		const { root, env } = this.#own;
		const repository = await openRepository(root, gitHost(env));
		await bringShared(repository, run, { env, tasks: [task] });
		const { turn, forApply } = options;
		const diff = await taskDiff(records, repository, { run, task, turn, forApply });
		return (await runMasker(run, this.#own)).mask(diff);
	}

	async gate(task: string, runId?: string) {
		const { of } = await this.#runOf(task, runId);
		const { tasks } = await this.result(of.runId, [task]);
		return await this.#withFiles(of.runId, tasks[0]?.gate ?? null);
	}

	async findings(task: string, runId?: string) {
		const { of } = await this.#runOf(task, runId);
		return (await this.result(of.runId, [task])).tasks[0]?.findings ?? [];
	}

	async events(runId?: string, after: number = 0) {
		const { records } = await this.#existing();
		return records.events((await findRun(records, runId)).runId, { after });
	}

	async logs(task: string, runId?: string) {
		const { records, blobs, of } = await this.#runOf(task, runId);
		const { isWorkedOn, logsOf } = await import("./task-logs.ts");
		const logs = await logsOf(blobs, of);
		const record = await records.task(of.runId, task);
		// Those of a task that works grow: whoever follows them reads what is new, and not all of it again and again.
		return record !== undefined && isWorkedOn(record)
			? logs
			: await this.#withFiles(of.runId, logs);
	}

	async readLog(log: Pick<TaskLog, "path">, from?: number): Promise<string> {
		const { readLog } = await import("./task-logs.ts");
		return readLog((await this.#openStore()).blobs, log, from);
	}

	async lastSaid(runId: string, taskIds?: readonly string[]) {
		const { saidInRun } = await import("./task-logs.ts");
		return saidInRun(await this.#existing(), runId, taskIds);
	}

	async calibration() {
		if (!this.#hasRuns()) return [];
		const { calibrationOf } = await import("../confidence/calibration-of.ts");
		const { calibrationRows } = await import("../store/scores.ts");
		return calibrationOf(calibrationRows(await (await this.#openStore()).records.scores()));
	}

	async check(...[options = {}]: Parameters<Sparring["check"]>) {
		requireOptions("check", options);
		return await this.#calls.during(options, async (supervised) => {
			return (await import("../verdict/check-work.ts")).checkWork(supervised, {
				...this.#own,
				review: async (work) =>
					(await import("./review-work.ts")).reviewWork(work, supervised, this.#own, openSparring),
			});
		});
	}

	async land(options: LandOptions) {
		requireOptions("land", options);
		return await this.#calls.during(options, async (supervised) => {
			const { landHeld, withRun } = await import("./take-forward.ts");
			return await withRun(this.#own, supervised, (run, held) => landHeld(this.#own, run, held));
		});
	}

	async propose(asked: Parameters<Sparring["propose"]>[0]) {
		requireOptions("propose", asked);
		const { remote, ...options } = asked;
		return await this.#calls.during(options, async (supervised) => {
			const { proposeHeld, withRun } = await import("./take-forward.ts");
			return await withRun(this.#own, supervised, (run, held) =>
				proposeHeld(this.#own, run, held, { remote, result: () => this.result(run.runId) }),
			);
		});
	}

	async cancel(runId?: string): Promise<RunReport> {
		const store = await this.#existing();
		const { cancelWhole, requireCancellable } = await import("../drive/cancel-run.ts");
		const run = await requireCancellable(store, runId);
		await cancelWhole(store, this.#own.places, run.runId);
		return this.#report(run);
	}

	async prune({ force = false, dryRun = false, runId }: PruneOptions) {
		const { pruneRepository } = await import("../landing/prune-runs.ts");
		const asked = { isOpen: this.#store !== null, force, dryRun, runId: runId ?? null };
		return await pruneRepository({ ...this.#own, ...asked });
	}

	async items(runId?: string) {
		if (!this.#hasRuns()) return [];
		const { records } = await this.#openStore();
		const run = runId === undefined ? undefined : (await findRun(records, runId)).runId;
		const items = await records.items(run);
		const open = items.filter(({ answer }) => answer === null);
		for (const id of new Set(open.map((item) => item.runId))) await this.#withFiles(id, open);
		return (await import("../human/human-item.ts")).asked(items);
	}

	async item(id: string) {
		const { findItem } = await import("./answer-item.ts");
		const item = await findItem((await this.#existing()).records, id);
		return await this.#withFiles(item.runId, item);
	}

	async itemVersion(id: string): Promise<string> {
		const { findItem, versionOf } = await import("./answer-item.ts");
		const { records } = await this.#existing();
		return versionOf(records, await findItem(records, id));
	}

	async resolveItem(id: string, request: AnswerRequest) {
		const { resolveItem } = await import("./answer-item.ts");
		return resolveItem((await this.#existing()).records, id, { ...this.#own, ...request });
	}

	async rejectItem(id: string, reason: string, proof: RejectionProof = {}) {
		const { rejectItem } = await import("./answer-item.ts");
		return rejectItem((await this.#existing()).records, id, { ...this.#own, ...proof, reason });
	}

	async ackItem(id: string) {
		const { ackItem } = await import("./answer-item.ts");
		return ackItem((await this.#existing()).records, id);
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
