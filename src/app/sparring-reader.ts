import { resolve } from "node:path";
import type { Blobs } from "../kernel/blobs.ts";
import { Fault } from "../kernel/fault.ts";
import type { TaskStatus } from "../kernel/task-state.ts";
import type { Records, RunRecord } from "../store/records.ts";
import { newestGateReport } from "../story/read-task.ts";
import { runSummary } from "../story/run-summary.ts";
import { requireText } from "./arguments.ts";
import { findRun, isUnended, noRuns } from "./find-run.ts";
import { gitHost } from "./git-host.ts";
import { type Places, placesOf } from "./places.ts";
import { presentReport } from "./present-report.ts";
import { hasOutputs } from "./run-folders.ts";
import type { OpenOptions, RunReport, Sparring } from "./sparring.ts";
import { hasStore, openStore, type Store } from "./store.ts";
import type { LastSaid } from "./task-logs.ts";

const isActive = (status: TaskStatus): boolean => status === "running" || status === "needs_rework";

/** What Sparring tells of a repository. It changes nothing, and makes nothing but, where it may write, the database. */
export abstract class SparringReader {
	readonly root: string;
	protected readonly directory: string;
	protected readonly places: Places;
	readonly #env: OpenOptions["env"];
	readonly #readOnly: boolean;
	#store: Promise<Store> | null = null;

	constructor(options: OpenOptions, root: string) {
		this.root = root;
		this.directory = resolve(options.directory);
		this.#env = options.env;
		this.#readOnly = options.readOnly ?? false;
		this.places = placesOf(root, options.env);
	}

	/** Holds secrets, so it is not shown with the object. */
	protected get env(): OpenOptions["env"] {
		return this.#env;
	}

	protected isOpen(): boolean {
		return this.#store !== null;
	}

	/** The database; it is made by the first run. */
	protected openStore(): Promise<Store> {
		this.#store ??= openStore(this.places, { readOnly: this.#readOnly }).catch((error: unknown) => {
			this.#store = null;
			throw error;
		});
		return this.#store;
	}

	/** Whether something was run here before. */
	protected hasRuns(): boolean {
		return this.#store !== null || hasStore(this.places);
	}

	/** The database of a repository in which something was run before. */
	protected async existing(): Promise<Store> {
		if (!this.hasRuns()) throw noRuns();
		return await this.openStore();
	}

	protected async report(run: RunRecord, landingRefused: string | null = null): Promise<RunReport> {
		const store = await this.existing();
		const report = await presentReport(store, this.places, { run, landingRefused });
		return await this.#withFiles(run.runId, report);
	}

	/** The files that an answer names stand in this clone, too, where the store that machines share has them. */
	async #withFiles<T>(runId: string, value: T): Promise<T> {
		const { blobs, machines } = await this.openStore();
		if (machines === null) return value;
		const { bringFiles } = await import("./machines/bring-files.ts");
		await bringFiles(blobs, this.places, { runId, value });
		return value;
	}

	async status(runId?: string): Promise<RunReport> {
		return this.report(await findRun((await this.existing()).records, runId));
	}

	async result(runId?: string): ReturnType<Sparring["result"]> {
		const { records } = await this.existing();
		const run = await findRun(records, runId);
		const { readRunResult } = await import("./report/read-run-result.ts");
		const { maskAllButNames } = await import("../store/mask-texts.ts");
		const { runMasker } = await import("./run-masker.ts");
		const result = await readRunResult(records, run, await this.report(run));
		return maskAllButNames(await runMasker(run, { root: this.root, env: this.env }), result);
	}

	async runs(): ReturnType<Sparring["runs"]> {
		if (!this.hasRuns()) return [];
		const store = await this.openStore();
		const runs = await store.records.runs();
		return Promise.all(runs.map((run) => runSummary(store, run)));
	}

	async trace(task: string, runId?: string): ReturnType<Sparring["trace"]> {
		const { records, blobs, run } = await this.runOf(task, runId);
		const { traceOf } = await import("./trace-file.ts");
		const trace = await traceOf(records, run.runId, task);
		const filesRemoved = !isUnended(run) && !(await hasOutputs(blobs, run.runId));
		const told = filesRemoved ? { ...trace, files_removed: filesRemoved } : trace;
		return await this.#withFiles(run.runId, told);
	}

	async loadState(task: string): ReturnType<Sparring["loadState"]> {
		requireText("loadState", "taskId", task);
		if (!this.hasRuns()) return null;
		const { loadState } = await import("./load-state.ts");
		return loadState((await this.openStore()).records, task);
	}

	async diff(task: string, options: Parameters<Sparring["diff"]>[1] = {}): Promise<string> {
		const { records, run } = await this.runOf(task, options.runId);
		const { taskDiff } = await import("./task-diff.ts");
		const { openRepository } = await import("../git/repository.ts");
		const repository = await openRepository(this.root, gitHost(this.env));
		const { bringShared } = await import("./run/bring-shared.ts");
		await bringShared(repository, run, { env: this.env, tasks: [task] });
		const diff = await taskDiff(records, repository, {
			run,
			task,
			turn: options.turn,
			forApply: options.forApply,
		});
		const { runMasker } = await import("./run-masker.ts");
		return (await runMasker(run, { root: this.root, env: this.env })).mask(diff);
	}

	async gate(task: string, runId?: string): ReturnType<Sparring["gate"]> {
		const { records, run } = await this.runOf(task, runId);
		const report = await newestGateReport(records, { runId: run.runId, taskId: task });
		return await this.#withFiles(run.runId, report);
	}

	async findings(task: string, runId?: string): ReturnType<Sparring["findings"]> {
		const { records, run } = await this.runOf(task, runId);
		const { findingReports } = await import("../story/finding-reports.ts");
		return findingReports(records, { runId: run.runId, taskId: task });
	}

	async events(runId?: string, after: number = 0): ReturnType<Sparring["events"]> {
		const { records } = await this.existing();
		return records.events((await findRun(records, runId)).runId, { after });
	}

	async logs(task: string, runId?: string): ReturnType<Sparring["logs"]> {
		const { records, blobs, run } = await this.runOf(task, runId);
		const { logsOf } = await import("./task-logs.ts");
		const logs = await logsOf(blobs, { runId: run.runId, taskId: task });
		// Those of a task that works grow: whoever follows them reads what is new, and not all of it again and again.
		const works = isActive((await records.task(run.runId, task))?.status ?? "pending");
		return works ? logs : await this.#withFiles(run.runId, logs);
	}

	async readLog(
		log: Parameters<Sparring["readLog"]>[0],
		from?: number,
	): ReturnType<Sparring["readLog"]> {
		const { readLog } = await import("./task-logs.ts");
		return readLog((await this.openStore()).blobs, log, from);
	}

	async lastSaid(runId: string, taskIds?: readonly string[]): ReturnType<Sparring["lastSaid"]> {
		const { lastSaid } = await import("./task-logs.ts");
		const { records, blobs } = await this.existing();
		const said = new Map<string, LastSaid>();
		const named = taskIds?.map((id) => records.task(runId, id));
		const tasks = named === undefined ? await records.tasks(runId) : await Promise.all(named);
		for (const { taskId, status } of tasks.filter((task) => task !== undefined)) {
			const last = isActive(status) ? await lastSaid(blobs, { runId, taskId }) : null;
			if (last !== null) said.set(taskId, last);
		}
		return said;
	}

	async calibration(): ReturnType<Sparring["calibration"]> {
		if (!this.hasRuns()) return [];
		const { calibrationOf } = await import("../confidence/calibration-of.ts");
		const { calibrationRows } = await import("../store/scores.ts");
		return calibrationOf(calibrationRows(await (await this.openStore()).records.scores()));
	}

	protected async runOf(
		task: string,
		runId: string | undefined,
	): Promise<{ records: Records; blobs: Blobs; run: RunRecord }> {
		const { records, blobs } = await this.existing();
		const run = await findRun(records, runId);
		const tasks = await records.tasks(run.runId);
		if (tasks.some(({ taskId }) => taskId === task)) return { records, blobs, run };
		throw new Fault(`run ${run.runId} has no task ${task}`, {
			code: "task-not-found",
			hint: `Its tasks are: ${tasks.map(({ taskId }) => taskId).join(", ")}`,
		});
	}

	async items(runId?: string): ReturnType<Sparring["items"]> {
		if (!this.hasRuns()) return [];
		const { records } = await this.openStore();
		const run = runId === undefined ? undefined : (await findRun(records, runId)).runId;
		const items = await records.items(run);
		const open = items.filter(({ answer }) => answer === null);
		for (const id of new Set(open.map((item) => item.runId))) await this.#withFiles(id, open);
		return (await import("../human/human-item.ts")).asked(items);
	}

	async item(id: string): ReturnType<Sparring["item"]> {
		const { findItem } = await import("./answer-item.ts");
		const item = await findItem((await this.existing()).records, id);
		return await this.#withFiles(item.runId, item);
	}

	async itemVersion(id: string): ReturnType<Sparring["itemVersion"]> {
		const { findItem, versionOf } = await import("./answer-item.ts");
		const { records } = await this.existing();
		return versionOf(records, await findItem(records, id));
	}

	close(): void {
		const store = this.#store;
		this.#store = null;
		// Whoever waited for it has been told why it could not be opened.
		void store?.then((opened) => opened.close()).catch(() => undefined);
	}
}
