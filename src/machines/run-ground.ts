import { join } from "node:path";
import { committer, type TimeKeeper, timeKeeper } from "../drive/committer.ts";
import type { Drive } from "../drive/drive.ts";
import { removeLeftLocks } from "../drive/leftovers.ts";
import { runContext, type SharedByTasks, sharedByTasks } from "../drive/run-context.ts";
import { openRunVault } from "../drive/run-vault.ts";
import { restoreIntegration, restoreTask } from "../drive/sound-state.ts";
import { takeRun } from "../drive/take-run.ts";
import { workOnTask } from "../drive/work-on-task.ts";
import { withBase } from "../git/base-vault.ts";
import { isCommit } from "../git/changes.ts";
import { type KeptChildren, keepChildren } from "../git/kept-children.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import type { Masker } from "../masking/masking.ts";
import { type LandingTurn, MergeQueue } from "../merge/merge-queue.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { findRun } from "../places/find-run.ts";
import { gitHost, makeStateDirectory, type Places, runDirectory } from "../places/places.ts";
import { bringShared, reachOf, requireRemote } from "../places/remote-ground.ts";
import { revealedNow } from "../places/run-masker.ts";
import { maskerOf } from "../places/secrets.ts";
import type { Store } from "../places/store.ts";
import type { ProcessHost } from "../process/process.ts";
import { endMarked } from "../process/process-tree.ts";
import { withHost } from "../seats/with-host.ts";
import { removeLeftOf } from "../setups/own-temporary.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { EventListener, StoredEvent } from "../trace/event.ts";
import type { Workflow } from "../workflow/workflow.ts";

export interface RunGround {
	readonly run: RunRecord;
	readonly workflow: Workflow;
	readonly masker: Masker;
	readonly repository: Repository;
	readonly vault: Vault;
	readonly host: ProcessHost;
	readonly shared: SharedByTasks;
	readonly keeper: TimeKeeper;
}

export interface WorkerPlace {
	readonly store: Store;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly onNotice: (text: string) => void;
}

async function onGround(
	{ store, places, env, onNotice }: WorkerPlace,
	{ run, kept }: { readonly run: RunRecord; readonly kept: KeptChildren },
	work: (ground: RunGround) => Promise<void>,
): Promise<void> {
	const workflow = await revealedNow(run, { root: places.root, env });
	const masker = maskerOf(env, workflow);
	const opened = await openRepository(places.root, gitHost(env));
	const repository = { ...opened, mark: `${run.runId}:refs`, kept };
	await requireShared(repository, run, workflow, env);
	await makeStateDirectory(places);
	await removeLeftLocks(repository, run.runId);
	const directory = await makeRunDirectory(places, run.runId, onNotice);
	const opening = await openRunVault({ repository, store }, run, directory, { kept });
	// A clone that is older than the run lacks the commit that it began on.
	if (!(await isCommit(opening, run.baseCommit)))
		await bringShared(repository, run, { env, tasks: [] });
	const vault = await withBase(opening, run);
	await withHost({ workflow, env, repository, places, onNotice }, async (host) =>
		work({
			run,
			workflow,
			masker,
			repository,
			vault,
			host,
			shared: sharedByTasks(
				new MergeQueue(landingTurn(store, run.runId)),
				store.machines?.calls(run.runId),
			),
			keeper: timeKeeper(run.runId),
		}),
	);
}

// The branch on the remote moves by compare-and-swap: this only keeps machines from building again and again on a tip that
// moves.
function landingTurn(store: Store, runId: string): LandingTurn {
	return async (signal) => {
		const mostMs = Number.POSITIVE_INFINITY;
		const lease = await takeRun(store, runId, "integration", { mostMs, signal });
		return () => lease.release();
	};
}

async function requireShared(
	repository: Repository,
	{ baseBranch }: RunRecord,
	workflow: Workflow,
	env: WorkerPlace["env"],
): Promise<void> {
	const reach = reachOf(workflow, { env });
	if (reach === null) throw new Error("a run of several machines has no remote");
	await requireRemote(repository, reach, baseBranch);
}

/** This machine cannot work on a run, for a reason that another machine may not have. */
export class NoGround extends Error {
	constructor(runId: string, cause: unknown) {
		const why = cause instanceof Error ? cause.message : String(cause);
		super(`this machine cannot work on run ${runId}: ${why}`, { cause });
	}
}

interface SharedGround {
	readonly ground: Promise<RunGround>;
	users: number;
	readonly close: () => void;
	readonly closed: Promise<void>;
}

/** Grounds of runs, each open while a task of its run is worked on here. */
export class OpenGrounds {
	readonly #place: WorkerPlace;
	readonly #opened = new Map<string, SharedGround>();

	constructor(place: WorkerPlace) {
		this.#place = place;
	}

	// The first one opens its ground, the last one closes it.
	async with<T>(runId: string, work: (ground: RunGround) => Promise<T>): Promise<T> {
		const opened = this.#opened.get(runId) ?? this.#open(runId);
		opened.users += 1;
		try {
			const ground = await opened.ground.catch((error: unknown) => {
				throw new NoGround(runId, error);
			});
			return await work(ground);
		} finally {
			opened.users -= 1;
			if (opened.users === 0) {
				this.#opened.delete(runId);
				opened.close();
				await opened.closed;
			}
		}
	}

	async close(): Promise<void> {
		await Promise.all([...this.#opened.values()].map(({ closed }) => closed));
	}

	#open(runId: string): SharedGround {
		const ready = Promise.withResolvers<RunGround>();
		const leave = Promise.withResolvers<void>();
		const closed = this.#hold(runId, async (ground) => {
			ready.resolve(ground);
			await leave.promise;
		}).catch((error: unknown) => {
			ready.reject(error);
		});
		const opened = { ground: ready.promise, users: 0, close: leave.resolve, closed };
		this.#opened.set(runId, opened);
		return opened;
	}

	async #hold(runId: string, work: (ground: RunGround) => Promise<void>): Promise<void> {
		const run = await findRun(this.#place.store.records, runId);
		const kept = keepChildren();
		try {
			await onGround(this.#place, { run, kept }, work);
		} finally {
			await kept.end();
		}
	}
}

export interface HeldTask {
	readonly taskId: string;
	readonly slot: number;
	readonly lease: Lease;
	readonly signal: AbortSignal;
	readonly onEvent?: EventListener | undefined;
}

export async function workUnderLease(
	place: WorkerPlace,
	ground: RunGround,
	{ taskId, slot, lease, signal, onEvent }: HeldTask,
): Promise<void> {
	const { run, shared, keeper, masker } = ground;
	const store = place.store.fenced(lease);
	const mark = `${run.runId}:${taskId}`;
	// Remains of a killed worker of this machine: the task's lease is ours now.
	await endMarked(`${mark}:`);
	await removeLeftOf(join(runDirectory(place.places, run.runId), taskId));
	// They are told apart by the task's mark, so they are of use to this task alone.
	const kept = keepChildren();
	if (signal.aborted) kept.hurry();
	signal.addEventListener("abort", () => kept.hurry(), { once: true });
	const vault = { ...ground.vault, signal, kept, mark: `${mark}:git` };
	const repository = { ...ground.repository, kept, mark: `${mark}:refs` };
	const drive: Drive = { ...place, ...ground, store, repository, lease, signal };
	const commit = committer(store.records, { lease, masker, onEvent }, keeper);
	try {
		const task = await store.records.task(run.runId, taskId);
		if (task === undefined) throw new Error(`run ${run.runId} has no task ${taskId}`);
		const context = await runContext(drive, { signal, commit, vault, masker }, shared);
		await restoreIntegration(context);
		await restoreTask(context, task);
		const site = { ...context, checkpointer: await store.checkpointer(lease), keeper };
		await workOnTask(site, { taskId, slot });
	} finally {
		await kept.end();
	}
}

/**
 * Works on a task that was taken for its merge, whatever its agents need. Where the merge is refused it leaves the task
 * before its player is called.
 *
 * @returns false then
 */
export async function mergeUnderLease(
	place: WorkerPlace,
	ground: RunGround,
	held: HeldTask,
): Promise<boolean> {
	const left = new AbortController();
	const onEvent = (event: StoredEvent): void => {
		held.onEvent?.(event);
		if (event.type === "node-entered" && event.data.phase === "player_implementing")
			left.abort(new Error("its player is called next"));
	};
	const signal = AbortSignal.any([held.signal, left.signal]);
	try {
		await workUnderLease(place, ground, { ...held, signal, onEvent });
		return true;
	} catch (error) {
		if (left.signal.aborted && !held.signal.aborted) return false;
		throw error;
	}
}
