import { existsSync } from "node:fs";
import { hasFilesHere, hasRunFiles, removeRunFiles } from "../drive/run-files.ts";
import { removeTree } from "../git/file-tree.ts";
import { keepsBranches } from "../git/move-refs.ts";
import { listRefs } from "../git/refs.ts";
import { openRepository } from "../git/repository.ts";
import { removeUnfinishedObjects } from "../git/unfinished-objects.ts";
import { formatBytes } from "../kernel/bytes.ts";
import { Fault } from "../kernel/fault.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { claimCheckouts, leftOverCheckouts } from "../places/checkouts-home.ts";
import { allocatedBytes } from "../places/disk-size.ts";
import { isUnended } from "../places/find-run.ts";
import { gitHost, type Places } from "../places/places.ts";
import { bringShared, dropRun, reachOf } from "../places/remote-ground.ts";
import { pruneSetupCache } from "../places/setup-cache.ts";
import type { Store } from "../places/store.ts";
import { headsOf, ownPrefixes } from "../places/task-refs.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import { setAside } from "../store/sqlite/database.ts";
import {
	type Archived,
	archive,
	archiveUncommitted,
	type Prune,
	type Pruned,
	type PruneReport,
	removeRefs,
	type Unmerged,
	underLease,
	unmergedWork,
	wayOf,
} from "./archive-work.ts";

interface Pruning extends Prune {
	readonly newest: string;
	readonly seen: Set<string>;
}

// A run with work that no other branch holds is kept unless forced; then the tips of its branches are archived first. Its
// records stay.
async function pruneRuns(prune: Prune): Promise<PruneReport> {
	const runs = await prune.store.records.runs();
	const pruning = pruningOf(prune, runs);
	const pruned: string[] = [];
	const kept: { run_id: string; reason: string }[] = [];
	const archived: Archived[] = [];
	const freed: PruneReport["freed"][number][] = [];
	// A copy of a repository must not remove its original's checkouts.
	const isClaiming = prune.store.machines !== null || runs.some((run) => !run.pruned);
	if (isClaiming && prune.dryRun !== true) await claim(prune.places);
	for (const run of runs) {
		if ((prune.runId ?? run.runId) !== run.runId || !(await isToPrune(prune, run))) continue;
		const done = await pruneOne(pruning, run);
		if ("reason" in done) {
			kept.push({ run_id: run.runId, reason: done.reason });
			continue;
		}
		pruned.push(run.runId);
		archived.push(...done.archived);
		freed.push({ run_id: run.runId, bytes: done.bytes });
	}
	const { places, force: all, dryRun, seen, runId } = pruning;
	const leftOver = runId === null ? await pruneLeftOver(pruning) : [];
	const setups =
		runId === null ? await pruneSetupCache(places, { all, dryRun, seen }) : NOTHING.setup_cache;
	const bytes = [
		setups.bytes,
		...freed.map((one) => one.bytes),
		...leftOver.filter(({ removed }) => removed).map((one) => one.bytes),
	];
	const total = bytes.reduce((sum, one) => sum + one, 0);
	return {
		pruned,
		kept,
		archived,
		freed,
		left_over: leftOver,
		setup_cache: setups,
		freed_bytes: total,
		...(dryRun === true && { dry_run: true }),
	};
}

async function pruneOne(pruning: Pruning, run: RunRecord): Promise<Pruned> {
	const find = run.pruned ? usedBranches : obstacleOf;
	const reason = await find(pruning, run);
	if (reason !== null) return { reason };
	if (pruning.dryRun === true) {
		const bytes = await removeFiles(pruning, run);
		return { archived: await archive(pruning, run), bytes };
	}
	const prune = run.pruned ? pruneHere : pruneRun;
	return (await prune(pruning, run)) ?? { reason: "another process holds it" };
}

async function claim(places: Places): Promise<void> {
	try {
		await claimCheckouts(places);
	} catch (error) {
		throw stateFault(places.checkoutsParent, error);
	}
}

function pruningOf(prune: Prune, runs: readonly RunRecord[]): Pruning {
	return { ...prune, newest: runs[0]?.runId ?? "", seen: new Set() };
}

/**
 * Removes the files of ended runs beyond the newest ones, as `spar prune` without `--force` does; of a run with work that
 * no other branch holds the refs stay. Runs that another process holds are left alone, and what goes wrong is told: the
 * run that has just ended does not fail for it.
 *
 * @param keep how many ended runs keep their files; at least 1
 */
export async function freeOldRuns(
	prune: Omit<Prune, "force" | "runId">,
	keep: number,
	onNotice: (text: string) => void = () => undefined,
): Promise<void> {
	try {
		await pruneSetupCache(prune.places, { all: false, seen: new Set() });
		const { count, bytes } = await freed(prune, keep);
		if (count === 0) return;
		const runs = count === 1 ? "an older run" : `${count} older runs`;
		const size = formatBytes(bytes);
		onNotice(`the files of ${runs} were removed (keep_runs: ${keep}): ${size} freed`);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		onNotice(`files of older runs could not be removed: ${error.message}; later: spar prune`);
	}
}

async function freed(prune: Omit<Prune, "force" | "runId">, keep: number) {
	const runs = await prune.store.records.runs();
	const pruning = pruningOf({ ...prune, force: false, runId: null }, runs);
	const old = runs.filter((run) => !isUnended(run)).slice(keep);
	let [count, bytes] = [0, 0];
	for (const run of old) {
		if (run.pruned || !(await hasRunFiles(filesOf(prune), run.runId))) continue;
		const isFree = (await obstacleOf(pruning, run)) === null;
		const done = isFree ? await pruneRun(pruning, run) : await pruneFiles(pruning, run);
		if (done === null || "reason" in done) continue;
		count += 1;
		bytes += done.bytes;
	}
	return { count, bytes };
}

/** Reason why a run is kept, and the way out; null: it can be pruned. */
export async function obstacleOf(prune: Prune, run: RunRecord): Promise<string | null> {
	if (isUnended(run))
		return `it has not ended: resume it, or give it up with spar cancel ${run.runId}`;
	// What only the remote holds is looked at as well.
	const tasks = run.workflow.tasks.map(({ id }) => id);
	await bringShared(prune.repository, run, { env: prune.env, tasks });
	const inUse = await usedBranches(prune, run);
	if (inUse !== null || prune.force) return inUse;
	const found = await unmergedWork(prune, run);
	const unmerged = found.map(({ branch, commit, isThere }) =>
		isThere ? branch : `${branch} at ${commit.slice(0, 10)}, from which the branch was moved`,
	);
	if (unmerged.length === 0) return null;
	const out = wayForward(run, await prune.store.records.tasks(run.runId), found);
	return `it holds work that ${run.baseBranch} does not: ${unmerged.join(", ")}. ${out} it with spar prune --force, which archives it first`;
}

// A landing brings in only what merged.
export function wayForward(
	run: Pick<RunRecord, "runId" | "branch">,
	tasks: readonly Pick<TaskRecord, "merged" | "status">[],
	unmerged: readonly Pick<Unmerged, "branch">[],
): string {
	if (tasks.some(({ merged }) => merged) && unmerged.some(({ branch }) => branch === run.branch))
		return `Land it (spar land ${run.runId}), or remove`;
	return tasks.some(({ status }) => status === "failed")
		? `Finish it (spar resume ${run.runId} --max-turns N), or remove`
		: "Remove";
}

// A deleted branch would leave the HEAD of a user's worktree without a commit.
async function usedBranches({ repository }: Prune, run: RunRecord): Promise<string | null> {
	const refs = await listRefs(repository, headsOf(run.runId));
	const names = refs.map(({ ref }) => ref);
	return await keepsBranches(repository, names, wayOf(run));
}

// Null when another process holds the run.
function pruneFiles(pruning: Pruning, run: RunRecord): Promise<Pruned | null> {
	return underLease(pruning, run, async () => {
		const archived = await archiveUncommitted(pruning, run);
		if ("reason" in archived) return archived;
		return { archived, bytes: await removeFiles(pruning, run) };
	});
}

async function isToPrune({ store, places, repository }: Prune, run: RunRecord): Promise<boolean> {
	if (!run.pruned) return true;
	if (store.machines === null) return false;
	if (hasFilesHere(places, run.runId)) return true;
	for (const prefix of ownPrefixes(run.runId))
		if ((await listRefs(repository, prefix)).length > 0) return true;
	return false;
}

// Another machine pruned the run; what the base lacks here is archived first.
function pruneHere(pruning: Pruning, run: RunRecord): Promise<Pruned | null> {
	return underLease(pruning, run, (_lease, current) => removeHere(pruning, current));
}

// Before something is removed its commits are kept.
async function removeHere(pruning: Pruning, run: RunRecord): Promise<Pruned> {
	const uncommitted = await archiveUncommitted(pruning, run);
	if ("reason" in uncommitted) return uncommitted;
	const archived = [...uncommitted, ...(await archive(pruning, run))];
	const bytes = await removeFiles(pruning, run);
	await removeRefs(pruning.repository, run, ownPrefixes(run.runId));
	return { archived, bytes };
}

// Null when another process holds the run, or something changed meanwhile.
function pruneRun(pruning: Pruning, run: RunRecord): Promise<Pruned | null> {
	const { store, repository } = pruning;
	return underLease(pruning, run, async (lease, current) => {
		if (current.pruned || (await obstacleOf(pruning, current)) !== null) return null;
		const done = await removeHere(pruning, current);
		if ("reason" in done) return done;
		const reach = reachOf(run.workflow, { env: pruning.env });
		if (reach !== null) await dropRun(repository, reach, run.runId);
		await store.records.commit(lease, [{ kind: "run", runId: run.runId, patch: { pruned: true } }]);
		return done;
	});
}

const filesOf = ({ places, store }: Pick<Prune, "places" | "store">) => ({
	places,
	blobs: store.blobs,
});

const removeFiles = (pruning: Pruning, { runId }: RunRecord): Promise<number> =>
	removeRunFiles(filesOf(pruning), { ...pruning, runId });

async function pruneLeftOver({
	places,
	force,
	dryRun,
	seen,
}: Pruning): Promise<PruneReport["left_over"]> {
	const found: PruneReport["left_over"][number][] = [];
	for (const { directory, root } of await leftOverCheckouts(places)) {
		const bytes = await allocatedBytes(directory, seen);
		if (force && dryRun !== true) await removeTree(directory);
		found.push({ directory, root, bytes, removed: force });
	}
	return found;
}

const NOTHING: PruneReport = {
	pruned: [],
	kept: [],
	archived: [],
	freed: [],
	left_over: [],
	setup_cache: { results: 0, bytes: 0 },
	freed_bytes: 0,
};

/** Prunes the runs of a repository. A database that an older version wrote is moved aside instead. */
export async function pruneRepository({
	places,
	env,
	force,
	dryRun,
	runId,
	isOpen,
	openStore,
}: {
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly force: boolean;
	readonly dryRun: boolean;
	readonly runId: string | null;
	/** Set where the database was opened before, and so is of this version. */
	readonly isOpen: boolean;
	readonly openStore: () => Promise<Store>;
}): Promise<PruneReport> {
	if (!isOpen && places.store === null) {
		const aside = dryRun ? null : setAside(places.database);
		if (aside !== null) return { ...NOTHING, set_aside: aside };
		if (!existsSync(places.database)) return NOTHING;
	}
	const repository = await openRepository(places.root, gitHost(env));
	if (!dryRun) await removeUnfinishedObjects(repository);
	const store = await openStore();
	return await pruneRuns({ store, places, repository, env, force, dryRun, runId });
}
