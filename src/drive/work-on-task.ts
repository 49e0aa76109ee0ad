import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { removeTree } from "../git/file-tree.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import { isDelivered, isEnded } from "../kernel/task-state.ts";
import { runTask } from "../loop/graph/run-task.ts";
import { threadOf } from "../loop/state.ts";
import { runDirectory } from "../places/places.ts";
import { runStatusOf } from "../schedule/readiness.ts";
import type { ScheduledTask } from "../schedule/run-schedule.ts";
import { runEvent, taskEnd } from "../schedule/run-writes.ts";
import type { Records, TaskRecord, Write } from "../store/records.ts";
import type { TimeKeeper } from "./committer.ts";
import type { Drive, RunContext } from "./drive.ts";
import { clearDamage, restoreTask } from "./sound-state.ts";
import { taskContext } from "./task-context.ts";
import { writeTrace } from "./trace-file.ts";

/** Error that stopped a task, with the way back to the run: git does not know of one. */
export function taskFault(error: unknown, { run, places }: Pick<Drive, "run" | "places">): unknown {
	const directory = runDirectory(places, run.runId);
	const isOfGit = error instanceof Fault && error.code === "git-failed";
	if (!isOfGit && !isMissingIn(directory, error)) return error;
	const again = `spar resume ${run.runId}`;
	if (!existsSync(join(directory, "vault.git"))) {
		return new Fault(`the directory ${directory} was removed while the run worked there`, {
			code: "checkout-lost",
			hint: `Continue with \`${again}\`: what is missing is made again, and calls under way are repeated.`,
			cause: error,
		});
	}
	if (!isOfGit) return error;
	const { message, code, hint = "", retryable } = error;
	if (/resume/.test(hint)) return error;
	const text = `${hint} Then continue with \`${again}\`.`.trim();
	return new Fault(message, { code, hint: text, retryable, cause: error });
}

function isMissingIn(directory: string, error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	// Errors of the file system have these.
	const { code, path = "" } = error as NodeJS.ErrnoException;
	return code === "ENOENT" && path.startsWith(directory);
}

const MOST_TRIES = 3;
const PAUSE_MS = 200;

const PASSING: ReadonlySet<FaultCode> = new Set([
	"git-failed",
	"remote-unreachable",
	"push-refused",
]);

/**
 * Works on a task, and goes on where git failed in a way that passes by itself, as a resume would: beside a `git gc`,
 * another git process that holds a lock, or a remote that did not answer once.
 */
export async function workThrough(
	work: () => Promise<void>,
	{
		clock,
		signal,
		onRetry,
	}: {
		readonly clock: Pick<Clock, "sleep">;
		readonly signal: AbortSignal;
		readonly onRetry: (fault: Fault) => Promise<void>;
	},
): Promise<void> {
	for (let tries = 1; ; tries += 1) {
		try {
			return await work();
		} catch (error) {
			const passes = error instanceof Fault && PASSING.has(error.code) && error.retryable;
			if (!passes || tries === MOST_TRIES || signal.aborted) throw error;
			await clock.sleep(PAUSE_MS, signal);
			await onRetry(error);
		}
	}
}

function endLost(task: TaskRecord, reason: string): Write[] {
	const { runId, taskId } = task;
	const timestamp = new Date().toISOString();
	const end = taskEnd(task, { status: "failed", reason, flags: ["role_error"], timestamp });
	// Nothing fails that never ran.
	if (task.status === "running") return end;
	return [{ kind: "task", runId, taskId, patch: { status: "running" } }, ...end];
}

export interface WorkContext extends RunContext {
	readonly checkpointer: BaseCheckpointSaver;
	readonly keeper: TimeKeeper;
}

/**
 * Takes a task as far as it goes by itself, and tidies up after it. Of one that has ended only what follows its end is
 * done: a kill may have come between the two.
 *
 * @throws what stopped it; what is stored stays, and the same call goes on from there
 */
export async function workOnTask(context: WorkContext, task: ScheduledTask): Promise<void> {
	const { run, records, lost, checkpointer } = context;
	const { taskId } = task;
	const record = await taskOf(records, run.runId, taskId);
	const why = lost?.get(taskId);
	if (why !== undefined && record.turns === 0 && record.humanItem === null) {
		await context.commit(endLost(record, why));
		return await tidy(context, taskId);
	}
	if (!isEnded(record.status)) await work(context, task);
	const after = await taskOf(records, run.runId, taskId);
	// An ended task needs no checkpoints: its records tell everything.
	if (isEnded(after.status)) {
		context.underWay.forget(taskId);
		await checkpointer.deleteThread(threadOf(run.runId, taskId, after.epoch));
	}
	await tidy(context, taskId);
}

async function work(context: WorkContext, task: ScheduledTask): Promise<void> {
	const { keeper, queue } = context;
	const { taskId } = task;
	keeper.begin(taskId);
	try {
		await takeForward(context, task);
	} catch (error) {
		throw taskFault(error, context);
	} finally {
		keeper.end(taskId);
		// The queue waits for nobody who rests.
		queue.release(taskId);
	}
}

async function takeForward(context: WorkContext, { taskId, slot }: ScheduledTask): Promise<void> {
	const { run, records, checkpointer, clock, signal, underWay, queue, onNotice } = context;
	const work = async (): Promise<void> => {
		const record = await taskOf(records, run.runId, taskId);
		await runTask(taskContext(context, record, slot), checkpointer);
	};
	await workThrough(work, {
		clock,
		signal,
		onRetry: async ({ message, code }) => {
			onNotice(`task ${taskId} goes on where git failed: ${message}`);
			underWay.forget(taskId);
			queue.release(taskId);
			if (code === "git-failed") {
				await clearDamage(context);
				forgetIndexes(context, taskId);
			}
			await restoreTask(context, await taskOf(records, run.runId, taskId));
		},
	});
}

// An index passes over files that it knows, whose objects may just have been moved away.
function forgetIndexes({ places, run }: Pick<RunContext, "places" | "run">, taskId: string): void {
	const work = join(runDirectory(places, run.runId), taskId);
	const indexes = globSync("index-*", { cwd: work }).filter((name) => !name.includes("."));
	for (const name of indexes) rmSync(join(work, name), { force: true });
}

async function taskOf(records: Records, runId: string, taskId: string): Promise<TaskRecord> {
	const record = await records.task(runId, taskId);
	if (record === undefined) throw new Error(`run ${runId} has no task ${taskId}`);
	return record;
}

// Harmless when repeated.
export async function tidy(
	{ run, store, places, onNotice }: Pick<Drive, "run" | "store" | "places" | "onNotice">,
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

export async function settleRun(
	drive: Parameters<typeof tidy>[0],
	commit: (writes: readonly Write[]) => Promise<void>,
): Promise<void> {
	const { run, store } = drive;
	const tasks = await store.records.tasks(run.runId);
	// Also what a killed process left undone after the records were safe.
	for (const { taskId } of tasks) await tidy(drive, taskId);
	const status = runStatusOf(tasks.map((task) => task.status));
	const timestamp = new Date().toISOString();
	const paused = status === "paused_for_user_escalation";
	await commit([
		{ kind: "run", runId: run.runId, patch: { status, endedAt: paused ? null : timestamp } },
		runEvent(run.runId, "run-ended", { status }, { timestamp }),
	]);
}
