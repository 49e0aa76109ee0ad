import { existsSync } from "node:fs";
import { withBase } from "../git/base-vault.ts";
import { keepChildren } from "../git/kept-children.ts";
import { listRefs } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { copiedSecrets } from "../judge/copied-secrets.ts";
import { anySignal } from "../kernel/any-signal.ts";
import { systemClock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { isAbort } from "../kernel/is-abort.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { keptCheckout, makeStateDirectory } from "../places/places.ts";
import { maskerOf } from "../places/secrets.ts";
import type { Store } from "../places/store.ts";
import { headsOf, privatePrefix } from "../places/task-refs.ts";
import { endMarked } from "../process/process-tree.ts";
import { requireTemporary } from "../process/temporary.ts";
import { runSchedule } from "../schedule/run-schedule.ts";
import type { TaskRecord, Write } from "../store/records.ts";
import type { EventListener } from "../trace/event.ts";
import { cancelTasks } from "./cancel-run.ts";
import { committer, timeKeeper } from "./committer.ts";
import { copiesOf } from "./copies.ts";
import type { Drive } from "./drive.ts";
import { removeLeftFiles, removeLeftLocks } from "./leftovers.ts";
import { notifierOf } from "./notifier-of.ts";
import { runContext, silenceTracing } from "./run-context.ts";
import { openRunVault } from "./run-vault.ts";
import { restoreGround } from "./sound-state.ts";
import { settleRun, taskFault, tidy, workOnTask } from "./work-on-task.ts";

const MAX_NAMES = 20;

function isLostState(error: unknown): error is Fault {
	return error instanceof Fault && error.code === "state-lost";
}

async function lostState(repository: Repository, runId: string, cause: Fault): Promise<Fault> {
	const branches = await listRefs(repository, headsOf(runId)).catch(() => []);
	const kept = await listRefs(repository, privatePrefix(runId)).catch(() => []);
	const names = [
		...branches.map(({ ref }) => ref.slice("refs/heads/".length)),
		...kept.map(({ ref }) => ref),
	];
	const shown = names.slice(0, MAX_NAMES).join(", ");
	const rest = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
	const left =
		names.length === 0
			? "Nothing of its work is in the repository"
			: `Still in the repository: ${shown}${rest}`;
	return new Fault(
		`the state of run ${runId} is gone, so the run ended: ${cause.message}. ${left}`,
		{
			code: "state-lost",
			hint: `Look at that work with git log, merge what you need by hand, then start again: spar run. git clean -x deletes Sparring's state too; git clean -fdx -e .sparring leaves it.`,
			cause,
		},
	);
}

const CANCEL_POLL_MS = 250;

const ANSWER_POLL_MS = 500;

// So much of the time that a run was worked on a kill can take back.
const TIME_BEAT_MS = 2_000;

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
	const masker = maskerOf(request.env, request.workflow, copiedSecrets(await copiesOf(request)));
	// The next process ends what a killed one left of these before it removes their locks.
	const kept = keepChildren();
	const repository = { ...request.repository, mark: `${request.run.runId}:refs`, kept };
	const drive: Drive = { ...request, repository };
	const { run, store, lease } = drive;
	const cancelled = new AbortController();
	const lostFile = new AbortController();
	const stopped = new AbortController();
	const own = [cancelled.signal, lostFile.signal, stopped.signal];
	const signal = anySignal(...own, lease.lost, drive.signal);
	// A command that moves a ref may finish, but not keep the run from stopping.
	signal.addEventListener("abort", () => kept.hurry(), { once: true });
	const keeper = timeKeeper(run.runId);
	const listeners: EventListener[] = [];
	if (drive.onEvent !== undefined) listeners.push(drive.onEvent);
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
	const notifier = notifierOf(drive, { signal, commit, masker });
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
		const vault = await preparedVault(drive, signal);
		const context = await runContext(drive, { signal, commit, vault, masker });
		await restoreGround(context);
		const site = { ...context, keeper, checkpointer: await store.checkpointer(lease) };
		await runSchedule({
			...context,
			runId: run.runId,
			// Aborted, the run ends: there is nothing more to wait for.
			pause: () => systemClock.sleep(ANSWER_POLL_MS, signal).catch(() => undefined),
			onStopped: (taskId, error) => drive.onStopped?.(taskId, error),
			runTask: (task) => workOnTask(site, task),
			stop: (reason) => stopped.abort(reason),
		});
		// Before the end of the run is stored, so that its traces tell who was notified.
		await notifier.settled();
		await settleRun(drive, commit);
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
		for (const { taskId } of await store.records.tasks(run.runId)) {
			await tidy(drive, taskId);
		}
	} finally {
		clearInterval(poll);
		clearInterval(beating);
		await kept.end();
		await notifier.settled();
		await storeTime(commit);
	}
}

async function preparedVault(drive: Drive, signal: AbortSignal): Promise<Vault> {
	const { run, repository, places } = drive;
	await endMarked(`${run.runId}:`);
	await removeLeftLocks(repository, run.runId);
	const directory = await makeRunDirectory(places, run.runId, drive.onNotice);
	await removeLeftFiles(places, repository, run.runId);
	const mark = `${run.runId}:git`;
	const plain = await openRunVault(drive, run, directory, { signal, mark, kept: repository.kept });
	return await withBase(plain, run);
}

async function explained(error: unknown, drive: Drive, lost: Fault | undefined): Promise<unknown> {
	const { run, places, repository } = drive;
	if (lost === undefined) {
		return drive.lease.lost.aborted ? lostLease(run.runId) : asFault(error, drive);
	}
	// What was written since, such as the output of a check, made the directory again.
	if (existsSync(places.stateDir)) await makeStateDirectory(places);
	return lostState(repository, run.runId, lost);
}

function endWhenLost(store: Store, ended: AbortController): void {
	try {
		store.requireFile();
	} catch (error) {
		ended.abort(error);
	}
}

// Where it cannot be stored, the work shows why; time is no reason to end it.
async function storeTime(commit: (writes: readonly Write[]) => Promise<void>): Promise<void> {
	await commit([]).catch(() => undefined);
}

// Ended by the cancelling, and not by something that failed at the same time.
const isStop = (error: unknown, signal: AbortSignal): boolean =>
	signal.aborted && isAbort(error, signal.reason);

// The system says that it will not write, and not that we are wrong.
const REFUSALS: ReadonlySet<unknown> = new Set([
	"ENOSPC",
	"EDQUOT",
	"EACCES",
	"EPERM",
	"EROFS",
	"EIO",
	"EMFILE",
]);

function asFault(error: unknown, drive: Drive): unknown {
	if (error instanceof Fault) return error;
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	return REFUSALS.has(code) ? stateFault(drive.places.stateDir, error) : taskFault(error, drive);
}

function lostLease(runId: string): Fault {
	return new Fault(`run ${runId} was taken over by another process`, {
		code: "lease-lost",
		hint: "Leave it to that process, and watch it with `spar status`.",
	});
}
