import { join } from "node:path";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { removeTree } from "../../git/file-tree.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { isDelivered, isEnded } from "../../kernel/task-state.ts";
import { runTask } from "../../loop/run-task.ts";
import { threadOf } from "../../loop/state.ts";
import type { ScheduledTask } from "../../schedule/run-schedule.ts";
import type { Records, TaskRecord } from "../../store/records.ts";
import { runDirectory } from "../places.ts";
import { writeTrace } from "../trace-file.ts";
import type { Drive, MaskedDrive } from "./drive.ts";
import { endLost } from "./end-lost.ts";
import { clearDamage, type Ground, restoreTask } from "./sound-state.ts";
import { type RunSurroundings, taskContext } from "./task-context.ts";
import { taskFault, workThrough } from "./task-fault.ts";
import type { TimeKeeper } from "./time-keeper.ts";

/** Where tasks of a run are worked on: all of them under the lease of the run, or one under its own. */
export interface TaskSite {
	readonly drive: MaskedDrive;
	readonly around: RunSurroundings;
	readonly ground: Ground;
	/** Fenced by the lease of the drive. */
	readonly checkpointer: BaseCheckpointSaver;
	readonly keeper: TimeKeeper;
}

/**
 * Takes a task as far as it goes by itself, and tidies up after it. Of one that has ended only what follows its end is
 * done: a kill may have come between the two.
 *
 * @throws what stopped it; what is stored stays, and the same call goes on from there
 */
export async function workOnTask(site: TaskSite, task: ScheduledTask): Promise<void> {
	const { drive, around, checkpointer } = site;
	const { run, store } = drive;
	const { taskId } = task;
	const record = await taskOf(store.records, run.runId, taskId);
	const why = drive.lost?.get(taskId);
	if (why !== undefined && record.turns === 0 && record.humanItem === null) {
		await around.commit(endLost(record, why));
		return await tidy(drive, taskId);
	}
	if (!isEnded(record.status)) await work(site, task);
	const after = await taskOf(store.records, run.runId, taskId);
	// An ended task needs no checkpoints: its records tell everything.
	if (isEnded(after.status)) {
		around.underWay.forget(taskId);
		await checkpointer.deleteThread(threadOf(run.runId, taskId, after.epoch));
	}
	await tidy(drive, taskId);
}

/** Measures the time of it. */
async function work(site: TaskSite, task: ScheduledTask): Promise<void> {
	const { drive, around, keeper } = site;
	const { taskId } = task;
	keeper.begin(taskId);
	try {
		await takeForward(site, task);
	} catch (error) {
		throw taskFault(error, drive);
	} finally {
		keeper.end(taskId);
		// The queue waits for nobody who rests.
		around.queue.release(taskId);
	}
}

async function takeForward(site: TaskSite, { taskId, slot }: ScheduledTask): Promise<void> {
	const { drive, around, ground, checkpointer } = site;
	const { run, store } = drive;
	const work = async (): Promise<void> => {
		const record = await taskOf(store.records, run.runId, taskId);
		await runTask(taskContext(around, record, slot), checkpointer);
	};
	await workThrough(work, {
		clock: systemClock,
		signal: around.signal,
		onRetry: async ({ message, code }) => {
			drive.onNotice?.(`task ${taskId} goes on where git failed: ${message}`);
			around.underWay.forget(taskId);
			around.queue.release(taskId);
			if (code === "git-failed") await clearDamage(ground);
			await restoreTask(ground, await taskOf(store.records, run.runId, taskId));
		},
	});
}

async function taskOf(records: Records, runId: string, taskId: string): Promise<TaskRecord> {
	const record = await records.task(runId, taskId);
	if (record === undefined) throw new Error(`run ${runId} has no task ${taskId}`);
	return record;
}

/** What is tidied up with. */
export type TidiedDrive = Pick<Drive, "run" | "store" | "places" | "onNotice">;

/** Writes the trace of a task, and removes the checkouts of one that has merged. Harmless when repeated. */
export async function tidy(
	{ run, store, places, onNotice }: TidiedDrive,
	taskId: string,
): Promise<void> {
	await writeTrace(store, run.runId, taskId);
	const record = await store.records.task(run.runId, taskId);
	if (record?.status !== "completed" || !isDelivered(record)) return;
	const directory = join(runDirectory(places, run.runId), taskId);
	try {
		await removeTree(directory);
	} catch (error) {
		// The work is merged and recorded: leftovers are no reason to fail, and `spar prune` takes them later.
		if (!(error instanceof Fault)) throw error;
		onNotice?.(
			`the checkouts of ${taskId} could not be removed (${error.message}); later: spar prune`,
		);
	}
}
