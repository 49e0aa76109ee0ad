import { join } from "node:path";
import { openRunVault } from "../drive/run-vault.ts";
import { unlessHeld } from "../drive/take-run.ts";
import { withBaseFilters } from "../git/base-filters.ts";
import { openCheckout } from "../git/checkout.ts";
import { copiedFiles } from "../git/copied-files.ts";
import type { WayOut } from "../git/in-use.ts";
import { leftWork } from "../git/left-work.ts";
import { deleteRef, moveRef } from "../git/move-refs.ts";
import { listRefs, type RefEntry, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { notInAny } from "../git/wholeness.ts";
import { Fault } from "../kernel/fault.ts";
import { ALREADY_DONE } from "../kernel/task-state.ts";
import { isUnended } from "../places/find-run.ts";
import { keptCheckout, type Places, runDirectory } from "../places/places.ts";
import type { SetupCacheReport } from "../places/setup-cache.ts";
import type { Store } from "../places/store.ts";
import { headsOf } from "../places/task-refs.ts";
import { makeTemporary } from "../process/temporary.ts";
import type { Lease, Records, RunRecord, TaskRecord } from "../store/records.ts";
import { baseTips } from "./landing-place.ts";

interface UncommittedWork {
	readonly branch: string;
	readonly commit: string;
}

/**
 * Commits what stands in the kept checkouts of an ended run and in no commit: a call that was cancelled or failed half-way
 * wrote it. Ignored files are no work; an agent's own commits and stashes are, where the files hold none. The same files
 * give the same commit.
 */
async function uncommittedWork(
	{ places, ...ground }: Parameters<typeof openRunVault>[0] & { readonly places: Places },
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<readonly UncommittedWork[]> {
	const kept = tasks.flatMap((task) => {
		const directory = keptCheckout(places, task);
		const parent = task.commit ?? task.startCommit;
		return directory === null || parent === null ? [] : [{ task, directory, parent }];
	});
	if (kept.length === 0) return [];
	await using temporary = await makeTemporary("spar-prune-");
	const home = temporary.path;
	const plain = await openRunVault(ground, run, home, { mark: `${run.runId}:git` });
	const copied = copiedFiles(runDirectory(places, run.runId));
	const vault = { ...(await withBaseFilters(plain, run.baseCommit)), copied };
	const found: UncommittedWork[] = [];
	for (const { task, directory, parent } of kept) {
		const commit = await committed(vault, { home, directory, parent, task });
		// As in a turn: where the files say something, they are the work.
		const commits =
			commit === parent
				? (await leftWork(vault, directory, parent)).map((left) => left.commit)
				: [commit];
		for (const each of commits)
			if (each !== null) found.push({ branch: task.branch, commit: each });
	}
	return found;
}

async function committed(
	vault: Vault,
	{
		home,
		directory,
		parent,
		task: { taskId, endedAt, startedAt },
	}: {
		readonly home: string;
		readonly directory: string;
		readonly parent: string;
		readonly task: TaskRecord;
	},
): Promise<string> {
	// The run's own index is left alone, and this one knows nothing of the checkout yet.
	const checkout = openCheckout(vault, {
		dir: directory,
		indexFile: join(home, `index-${taskId}`),
	});
	const { commit } = await checkout.snapshot({
		parent,
		message: `${taskId}: left in its checkout`,
		at: Date.parse(endedAt ?? startedAt ?? "1970-01-01T00:00:00Z"),
	});
	return commit;
}

export interface Prune {
	readonly store: Store;
	readonly places: Places;
	readonly repository: Repository;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly force: boolean;
	readonly dryRun?: boolean | undefined;
	/** This run alone, and nothing beside it; null: all that have ended. */
	readonly runId: string | null;
}

export type Archived = PruneReport["archived"][number];

export function wayOf({ baseBranch }: RunRecord): WayOut {
	return { base: baseBranch, again: "spar prune" };
}

const branchOf = (ref: string): string => ref.slice("refs/heads/".length);

export interface Unmerged {
	readonly branch: string;
	readonly commit: string;
	/** Set to false where the branch does not hold it: the user moved or deleted that, or no commit had the work. */
	readonly isThere: boolean;
}

/** The work of a run that its base does not hold, on its branches and in its records. */
export async function unmergedWork(
	ground: Pick<Prune, "repository" | "env"> & {
		readonly store: Pick<Store, "machines"> & { readonly records: Pick<Records, "tasks"> };
	},
	run: RunRecord,
): Promise<Unmerged[]> {
	const { repository, store } = ground;
	const refs = await listRefs(repository, headsOf(run.runId));
	const tasks = await store.records.tasks(run.runId);
	const bases = await baseTips({ ...ground, run });
	const outside = async (tips: readonly string[], commits: readonly string[]) =>
		new Set(await notInAny(repository, tips, commits, { ignoresMissing: true }));
	const outsideBase = await outside(
		bases,
		refs.map((entry) => workOf(tasks, entry)),
	);
	const onBranches = refs
		.filter((entry) => outsideBase.has(workOf(tasks, entry)))
		.map(({ ref, oid }) => ({ branch: branchOf(ref), commit: oid, isThere: true }));
	const recorded = tasks.flatMap((task) => {
		const work = heldAs(task) ?? task.commit;
		return work === null ? [] : [{ branch: task.branch, commit: work, isThere: false }];
	});
	const outsideAll = await outside(
		[...bases, ...refs.map(({ oid }) => oid)],
		recorded.map(({ commit }) => commit),
	);
	return [...onBranches, ...recorded.filter(({ commit }) => outsideAll.has(commit))];
}

// The base does not hold the commits of a squashed task: its record says which commit holds them, as long as the branch
// stands where the task left it.
function workOf(tasks: readonly TaskRecord[], { ref, oid }: RefEntry): string {
	const task = tasks.find(({ branch, commit }) => ref === `refs/heads/${branch}` && oid === commit);
	return (task && heldAs(task)) ?? oid;
}

function heldAs({ mergedCommit, flags, startCommit }: TaskRecord): string | null {
	return mergedCommit ?? (flags.includes(ALREADY_DONE) ? startCommit : null);
}

export type Pruned =
	| { readonly archived: readonly Archived[]; readonly bytes: number }
	| { readonly reason: string };

// The run is looked at again, since it may have been reopened.
export async function underLease<T>(
	{ store }: Prune,
	run: RunRecord,
	work: (lease: Lease, current: RunRecord) => Promise<T>,
): Promise<T | null> {
	await using lease = await store.leases.take(run.runId).catch(unlessHeld);
	if (lease === null) return null;
	const current = await store.records.run(run.runId);
	return current === undefined || isUnended(current) ? null : await work(lease, current);
}

// `refs/sparring/archive` is never removed by Sparring.
export async function archive(pruning: Prune, run: RunRecord): Promise<Archived[]> {
	const { repository } = pruning;
	const archived: Archived[] = [];
	for (const work of await unmergedWork(pruning, run)) {
		const { branch, commit } = work;
		archived.push(
			pruning.dryRun === true
				? { run_id: run.runId, branch, ref: archiveRef(run, work), commit }
				: await keep(repository, run, work),
		);
	}
	return archived;
}

// A run is kept rather than its work lost.
export async function archiveUncommitted(
	pruning: Prune,
	run: RunRecord,
): Promise<readonly Archived[] | { readonly reason: string }> {
	const tasks = await pruning.store.records.tasks(run.runId);
	const archived: Archived[] = [];
	try {
		for (const work of await uncommittedWork(pruning, run, tasks))
			archived.push(await keep(pruning.repository, run, { ...work, isThere: false }));
		return archived;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { reason: `what its checkouts hold cannot be archived: ${error.message}` };
	}
}

function archiveRef({ runId }: RunRecord, { branch, commit, isThere }: Unmerged): string {
	// The branch may stand elsewhere, with other work. No id of a task has an @.
	const name = `${branch.slice(`sparring/${runId}/`.length)}${isThere ? "" : `@${commit.slice(0, 10)}`}`;
	return `refs/sparring/archive/${runId}/${name}`;
}

async function keep(repository: Repository, run: RunRecord, work: Unmerged): Promise<Archived> {
	const { branch, commit } = work;
	const ref = archiveRef(run, work);
	const made = await moveRef(repository, { ref, to: commit, from: null }, wayOf(run));
	if (!made && (await readRef(repository, ref)) !== commit) {
		throw new Fault(`${branch} cannot be archived: ${ref} points to another commit`, {
			code: "ref-in-the-way",
			hint: `Rename it (git update-ref), then prune again; nothing of run ${run.runId} was removed.`,
		});
	}
	return { run_id: run.runId, branch, ref, commit };
}

export async function removeRefs(
	repository: Repository,
	run: RunRecord,
	prefixes: readonly string[],
): Promise<void> {
	for (const prefix of prefixes)
		for (const { ref, oid } of await listRefs(repository, prefix))
			await deleteRef(repository, { ref, expected: oid }, wayOf(run));
}

/** Things that pruning removed, and those that it left. */
export interface PruneReport {
	readonly pruned: readonly string[];
	/** Runs left alone, each with the reason and the way out. */
	readonly kept: readonly { readonly run_id: string; readonly reason: string }[];
	/** Branches that held unmerged work: their tips are kept at `ref`, which Sparring never removes. */
	readonly archived: readonly {
		readonly run_id: string;
		readonly branch: string;
		readonly ref: string;
		readonly commit: string;
	}[];
	/** Bytes on the disk that each pruned run gave free. */
	readonly freed: readonly { readonly run_id: string; readonly bytes: number }[];
	/** Checkouts of repositories that do not exist any more; removed only when forced. */
	readonly left_over: readonly {
		readonly directory: string;
		readonly root: string;
		readonly bytes: number;
		readonly removed: boolean;
	}[];
	/** Results of setups that were removed, unfinished ones included, and the bytes on the disk that this gave free. */
	readonly setup_cache: SetupCacheReport;
	/** In all. A file of several links counts once. */
	readonly freed_bytes: number;
	/** Set where nothing was changed: the rest tells what would be. */
	readonly dry_run?: true;
	/** Path to which a database of an older version was moved; then nothing else was done. */
	readonly set_aside?: string;
}
