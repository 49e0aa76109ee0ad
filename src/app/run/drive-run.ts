import { existsSync } from "node:fs";
import { join } from "node:path";
import { withBaseFilters } from "../../git/base-filters.ts";
import { removeTree } from "../../git/file-tree.ts";
import { removeStaleLocks } from "../../git/refs.ts";
import { openVault, type Vault } from "../../git/vault.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { type Masker, noMasker } from "../../kernel/masking.ts";
import { isEnded } from "../../kernel/task-state.ts";
import { runTask } from "../../loop/run-task.ts";
import { threadOf } from "../../loop/state.ts";
import { endMarked } from "../../process/process-tree.ts";
import { takeTurn } from "../../process/take-turns.ts";
import { requireTemporary } from "../../process/temporary.ts";
import { runStatusOf } from "../../schedule/readiness.ts";
import { runSchedule, type ScheduledTask } from "../../schedule/run-schedule.ts";
import { removeUnfinished } from "../../store/folder/replace-file.ts";
import { maskWrites } from "../../store/mask-writes.ts";
import type { Records, TaskRecord, Write } from "../../store/records.ts";
import type { EventListener } from "../../trace/event.ts";
import { keptCheckout } from "../kept-checkout.ts";
import { makeRunDirectory, makeStateDirectory, runDirectory } from "../places.ts";
import { maskerOf } from "../secrets.ts";
import { stateFault } from "../state-fault.ts";
import type { Store } from "../store.ts";
import { writeTrace } from "../trace-file.ts";
import { cancelTasks } from "./cancel-run.ts";
import type { Drive, MaskedDrive } from "./drive.ts";
import { endLost } from "./end-lost.ts";
import { isLostState, lostState } from "./lost-state.ts";
import { type RunNotifier, runNotifier, silentNotifier } from "./notifier.ts";
import { runEvent } from "./run-event.ts";
import { writtenFolders } from "./run-files.ts";
import { silenceTracing } from "./silence-tracing.ts";
import { groundOf, restoreGround, restoreTask } from "./sound-state.ts";
import { surroundings } from "./surroundings.ts";
import { type RunSurroundings, taskContext } from "./task-context.ts";
import { taskFault, workThrough } from "./task-fault.ts";
import { privatePrefix } from "./task-refs.ts";
import { type TimeKeeper, timeKeeper } from "./time-keeper.ts";

/** How often the holder of a run looks whether it was asked to stop, in ms. */
const CANCEL_POLL_MS = 250;

/** How often a run that works looks for answers to its tasks' questions, in ms. */
const ANSWER_POLL_MS = 500;

/** How much of the time that a run was worked on a kill can take back, in ms. */
const TIME_BEAT_MS = 2_000;

/** Time is stored in steps of at least so much, in ms: a budget lags behind by less. */
const TIME_STEP_MS = 50;

/** Why the work of this process ended before the run did. */
class CancelRequest extends Error {}

/**
 * Drives a run until nothing can continue by itself, and stores its status.
 *
 * What a killed process left running is ended first. Cancelled from elsewhere, the run ends as `cancelled`;
 * aborted by the caller's signal, everything done so far is kept and the signal's reason is thrown.
 *
 * Records leave it without secrets; notices and faults are masked where they are printed.
 */
export async function driveRun(request: Drive): Promise<void> {
	silenceTracing(process.env);
	await requireTemporary();
	const masker = maskerOf(request.env, request.workflow);
	// The next process ends what a killed one left of these before it removes their locks.
	const repository = { ...request.repository, mark: `${request.run.runId}:refs` };
	const drive: MaskedDrive = { ...request, repository, masker };
	const { run, store, lease } = drive;
	const cancelled = new AbortController();
	const lostFile = new AbortController();
	const stopped = new AbortController();
	const signals = [
		cancelled.signal,
		lostFile.signal,
		stopped.signal,
		lease.lost,
		...(drive.signal === undefined ? [] : [drive.signal]),
	];
	const signal = AbortSignal.any(signals);
	const keeper = timeKeeper(run.runId);
	const listeners: EventListener[] = drive.onEvent === undefined ? [] : [drive.onEvent];
	const commit = committer(
		store.records,
		{
			lease,
			masker,
			onEvent: (event) => {
				for (const listener of listeners) listener(event);
			},
		},
		keeper,
	);
	const notifier = notifierOf(drive, { signal, commit });
	listeners.push(notifier.onEvent);
	const beating = setInterval(() => void storeTime(commit), TIME_BEAT_MS);
	const poll = setInterval(() => {
		endWhenLost(store, lostFile);
		void store.records.cancelRequested(run.runId).then(
			(asked) => asked && cancelled.abort(new CancelRequest(`run ${run.runId} was cancelled`)),
			// A database that cannot be read shows itself in the work; polling must not end the process.
			() => undefined,
		);
	}, CANCEL_POLL_MS);
	try {
		const vault = await preparedVault(drive, { signal, commit });
		await runSchedule({
			...(await scheduleContext(drive, { signal, commit, keeper, vault })),
			stop: (reason) => stopped.abort(reason),
		});
		// Before the end of the run is stored, so that its traces tell who was notified.
		await notifier.settled();
		await settle(drive, commit);
		store.requireFile();
	} catch (error) {
		// Whatever failed may have failed for want of the database.
		endWhenLost(store, lostFile);
		const lost = [error, lostFile.signal.reason].find(isLostState);
		if (lost !== undefined || !isStop(error, cancelled.signal)) {
			throw await explained(error, drive, lost);
		}
		const checkoutOf = (task: TaskRecord): string | null => keptCheckout(drive.places, task);
		await cancelTasks(store.records, run.runId, { checkoutOf, commit });
		for (const { taskId } of await store.records.tasks(run.runId)) await tidy(drive, taskId);
	} finally {
		clearInterval(poll);
		clearInterval(beating);
		await notifier.settled();
		await storeTime(commit);
	}
}

/** Ends what a killed process left, and compares the records with the repository, before anything new is done. */
async function preparedVault(
	drive: MaskedDrive,
	{ signal, commit }: Pick<RunSurroundings, "signal" | "commit">,
): Promise<Vault> {
	const { run, repository, places } = drive;
	await endMarked(`${run.runId}:`);
	for (const prefix of [`refs/heads/sparring/${run.runId}/`, privatePrefix(run.runId)]) {
		await removeStaleLocks(repository, prefix);
	}
	const folders = writtenFolders(run.runId).map((name) => join(places.stateDir, name));
	await removeUnfinished(folders, isRunning);
	const directory = await makeRunDirectory(places, run.runId, drive.onNotice);
	const mark = `${run.runId}:git`;
	const plain = await openVault(repository, directory, { signal, mark });
	const vault = await withBaseFilters(plain, run.baseCommit);
	await restoreGround(groundOf(drive, { vault, commit }));
	return vault;
}

/** Whether a process of this machine runs, whoever it belongs to. */
function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return !(error instanceof Error && "code" in error && error.code === "ESRCH");
	}
}

/** What the end of a run that was not cancelled says. */
async function explained(error: unknown, drive: Drive, lost: Fault | undefined): Promise<unknown> {
	const { run, places, repository } = drive;
	if (lost === undefined) {
		return drive.lease.lost.aborted ? lostLease(run.runId) : asFault(error, drive);
	}
	// What was written since, such as the output of a check, made the directory again.
	if (existsSync(places.stateDir)) await makeStateDirectory(places);
	return lostState(repository, run.runId, lost);
}

/** Ends what the run is doing as soon as its database is gone: nothing that it does from then on is kept. */
function endWhenLost(store: Store, ended: AbortController): void {
	try {
		store.requireFile();
	} catch (error) {
		ended.abort(error);
	}
}

/** Who tells people outside about the run's questions, as its workflow says. */
function notifierOf(
	drive: MaskedDrive,
	{
		signal,
		commit,
	}: { readonly signal: AbortSignal; readonly commit: (writes: readonly Write[]) => Promise<void> },
): RunNotifier {
	const { run, workflow, store, repository, env, masker, onNotice } = drive;
	const settings = workflow.human.notify;
	if (settings === undefined) return silentNotifier;
	return runNotifier({
		settings,
		env,
		directory: repository.root,
		masker,
		signal,
		readItem: (id) => store.records.item(id),
		endSignal: AbortSignal.any([
			drive.lease.lost,
			...(drive.signal === undefined ? [] : [drive.signal]),
		]),
		workflow: workflow.name,
		onDelivery: async ({ itemId, target, outcome, reason }, task) => {
			if (outcome === "failed") {
				const what = itemId === null ? "the end of the run" : `question ${itemId}`;
				onNotice?.(`nobody was told of ${what} by ${target}: ${reason ?? "no reason"}`);
			}
			const timestamp = new Date().toISOString();
			const data = { item: itemId, target, outcome, reason };
			const event = { type: "person-notified", turn: null, node: null, timestamp, data } as const;
			await commit([runEvent(run.runId, { ...event, task })]);
		},
	});
}

/** Stores the time since the last commit. Where that cannot be, the work shows why; time is no reason to end it. */
async function storeTime(commit: (writes: readonly Write[]) => Promise<void>): Promise<void> {
	await commit([]).catch(() => undefined);
}

/** Whether work ended because the run was cancelled, and not because something failed at the same time. */
function isStop(error: unknown, signal: AbortSignal): boolean {
	if (!signal.aborted) return false;
	return (
		error === signal.reason ||
		(error instanceof Error && (error.name === "AbortError" || error.cause === signal.reason))
	);
}

/** Codes by which the system says that it will not write, and not that we are wrong. */
const REFUSALS: ReadonlySet<unknown> = new Set([
	"ENOSPC",
	"EDQUOT",
	"EACCES",
	"EPERM",
	"EROFS",
	"EIO",
	"EMFILE",
]);

function asFault(error: unknown, { places }: Drive): unknown {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	return REFUSALS.has(code) ? stateFault(places.stateDir, error) : error;
}

function lostLease(runId: string): Fault {
	return new Fault(`run ${runId} was taken over by another process`, {
		code: "lease-lost",
		hint: "Leave it to that process, and watch it with `spar status`.",
	});
}

/**
 * Commits under the lease, masked, and tells the listener what happened, as it was stored.
 *
 * @param drive.masker left out only where the writes hold nothing that anybody but us wrote
 * @param keeper the time that it measured goes into each batch, so that a budget is judged by the present
 */
export function committer(
	records: Records,
	drive: Pick<Drive, "lease" | "onEvent"> & { readonly masker?: Masker },
	keeper?: TimeKeeper,
): (writes: readonly Write[]) => Promise<void> {
	const { masker = noMasker } = drive;
	return async (writes) => {
		const time = keeper?.take(writes.length === 0 ? 0 : TIME_STEP_MS) ?? [];
		const events = await records.commit(drive.lease, maskWrites(masker, writes).concat(time));
		for (const event of events) drive.onEvent?.(event);
	};
}

async function scheduleContext(
	drive: MaskedDrive,
	{
		signal,
		commit,
		keeper,
		vault,
	}: {
		readonly signal: AbortSignal;
		readonly commit: (writes: readonly Write[]) => Promise<void>;
		readonly keeper: TimeKeeper;
		readonly vault: Vault;
	},
) {
	const { run, workflow, store } = drive;
	const around = await surroundings(drive, { signal, commit, vault });
	const checkpointer = await store.checkpointer(drive.lease);
	const ground = groundOf(drive, { vault, commit });
	const work = async (taskId: string, slot: number): Promise<void> => {
		await takeTurn();
		const record = await taskOf(store.records, run.runId, taskId);
		await runTask(taskContext(around, record, slot), checkpointer);
	};
	return {
		runId: run.runId,
		workflow,
		records: store.records,
		commit,
		signal,
		// Aborted, the run ends: there is nothing more to wait for.
		pause: () => systemClock.sleep(ANSWER_POLL_MS, signal).catch(() => undefined),
		onStopped: (taskId: string, error: unknown) => drive.onStopped?.(taskId, error),
		runTask: async ({ taskId, slot }: ScheduledTask) => {
			const record = await taskOf(store.records, run.runId, taskId);
			const why = drive.lost?.get(taskId);
			if (why !== undefined && record.turns === 0 && record.humanItem === null) {
				await commit(endLost(record, why));
				return await tidy(drive, taskId);
			}
			keeper.begin(taskId);
			try {
				await workThrough(() => work(taskId, slot), {
					clock: systemClock,
					signal,
					onRetry: async ({ message }) => {
						drive.onNotice?.(`task ${taskId} goes on where git failed: ${message}`);
						around.underWay.forget(taskId);
						around.queue.release(taskId);
						await restoreTask(ground, await taskOf(store.records, run.runId, taskId));
					},
				});
			} catch (error) {
				throw taskFault(error, drive);
			} finally {
				keeper.end(taskId);
				// The queue waits for nobody who rests.
				around.queue.release(taskId);
			}
			const after = await taskOf(store.records, run.runId, taskId);
			// An ended task needs no checkpoints: its records tell everything.
			if (isEnded(after.status)) {
				around.underWay.forget(taskId);
				await checkpointer.deleteThread(threadOf(run.runId, taskId, after.epoch));
			}
			await tidy(drive, taskId);
		},
	};
}

async function taskOf(records: Records, runId: string, taskId: string): Promise<TaskRecord> {
	const record = await records.task(runId, taskId);
	if (record === undefined) throw new Error(`run ${runId} has no task ${taskId}`);
	return record;
}

/** Stores where the run stands now that nothing more happens by itself. */
async function settle(
	drive: Drive,
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
		runEvent(run.runId, {
			type: "run-ended",
			task: null,
			turn: null,
			node: null,
			timestamp,
			data: { status },
		}),
	]);
}

/** Writes the trace of a task, and removes the checkouts of one that has merged. Harmless when repeated. */
async function tidy({ run, store, places, onNotice }: Drive, taskId: string): Promise<void> {
	await writeTrace(store, run.runId, taskId);
	const record = await store.records.task(run.runId, taskId);
	if (record?.status !== "completed" || !record.merged) return;
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
