import type { WayOut } from "../../git/in-use.ts";
import { deleteRef, moveRef } from "../../git/move-refs.ts";
import { listRefs, type RefEntry, readRef } from "../../git/refs.ts";
import type { Repository } from "../../git/repository.ts";
import { notInAny } from "../../git/wholeness.ts";
import { Fault } from "../../kernel/fault.ts";
import { ALREADY_DONE } from "../../kernel/task-state.ts";
import type { Lease, RunRecord, TaskRecord } from "../../store/records.ts";
import { isUnended } from "../find-run.ts";
import type { Places } from "../places.ts";
import type { PruneReport } from "../prune-report.ts";
import type { OpenOptions } from "../sparring.ts";
import type { Store } from "../store.ts";
import { baseTips } from "./landing-place.ts";
import { uncommittedWork } from "./uncommitted-work.ts";

/** What is pruned, and where. */
export interface Prune {
	readonly store: Store;
	readonly places: Places;
	readonly repository: Repository;
	readonly env: OpenOptions["env"];
	readonly force: boolean;
	/** Changes nothing, and tells what would be done. */
	readonly dryRun?: boolean | undefined;
	/** This run alone, and nothing beside it; null: all that have ended. */
	readonly runId: string | null;
}

/** Work that was kept before its branch was removed. */
export type Archived = PruneReport["archived"][number];

/** The way out for who meets a branch in use. */
export function wayOf({ baseBranch }: RunRecord): WayOut {
	return { base: baseBranch, again: "spar prune" };
}

const branchOf = (ref: string): string => ref.slice("refs/heads/".length);

/** Work of a run that its base branch does not hold. */
export interface Unmerged {
	/** Short name of the branch that it was done on. */
	readonly branch: string;
	readonly commit: string;
	/** False when the user moved or deleted the branch: then only private refs hold the work. */
	readonly isThere: boolean;
}

/** What is neither in the base branch nor where the run began: tips of branches, and what the tasks' records name. */
export async function unmergedWork(prune: Prune, run: RunRecord): Promise<Unmerged[]> {
	const { repository, store } = prune;
	const refs = await listRefs(repository, `refs/heads/sparring/${run.runId}/`);
	const tasks = await store.records.tasks(run.runId);
	const bases = await baseTips({ ...prune, run });
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

/**
 * The commit that stands for the work of a branch. The base does not hold the commits of a squashed task: its record says
 * which commit holds them, as long as the branch stands where the task left it.
 */
function workOf(tasks: readonly TaskRecord[], { ref, oid }: RefEntry): string {
	const task = tasks.find(({ branch, commit }) => ref === `refs/heads/${branch}` && oid === commit);
	return (task && heldAs(task)) ?? oid;
}

/** The commit that holds what a task came to: its merge, or its start where nothing was left to do. */
function heldAs({ mergedCommit, flags, startCommit }: TaskRecord): string | null {
	return mergedCommit ?? (flags.includes(ALREADY_DONE) ? startCommit : null);
}

/** What was removed of a run; or why nothing was. */
export type Pruned =
	| { readonly archived: readonly Archived[]; readonly bytes: number }
	| { readonly reason: string };

/** Does work on an ended run that nobody else holds; the run is looked at again, since it may have been reopened. */
export async function underLease<T>(
	{ store }: Prune,
	run: RunRecord,
	work: (lease: Lease, current: RunRecord) => Promise<T>,
): Promise<T | null> {
	const lease = await store.leases.take(run.runId).catch((error: unknown) => {
		if (error instanceof Fault && error.code === "run-held") return null;
		throw error;
	});
	if (lease === null) return null;
	try {
		const current = await store.records.run(run.runId);
		return current === undefined || isUnended(current) ? null : await work(lease, current);
	} finally {
		await lease.release();
	}
}

/** Keeps commits that nothing else holds under `refs/sparring/archive`, which Sparring never removes. */
export async function archive(pruning: Prune, run: RunRecord): Promise<Archived[]> {
	const { repository } = pruning;
	const archived: Archived[] = [];
	for (const { branch, commit, isThere } of await unmergedWork(pruning, run)) {
		// The branch may stand elsewhere, with other work.
		const work = { branch, commit, isTip: isThere };
		archived.push(
			pruning.dryRun === true
				? { run_id: run.runId, branch, ref: archiveRef(run, work), commit }
				: await keep(repository, run, work),
		);
	}
	return archived;
}

/** Likewise what stands in a checkout and in no commit yet; or why that cannot be: a run is kept rather than its work lost. */
export async function archiveUncommitted(
	pruning: Prune,
	run: RunRecord,
): Promise<readonly Archived[] | { readonly reason: string }> {
	const tasks = await pruning.store.records.tasks(run.runId);
	const archived: Archived[] = [];
	try {
		for (const work of await uncommittedWork(pruning, run, tasks))
			archived.push(await keep(pruning.repository, run, { ...work, isTip: false }));
		return archived;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { reason: `what its checkouts hold cannot be archived: ${error.message}` };
	}
}

interface KeptWork {
	readonly branch: string;
	readonly commit: string;
	readonly isTip: boolean;
}

function archiveRef({ runId }: RunRecord, { branch, commit, isTip }: KeptWork): string {
	// No id of a task has an @.
	const name = `${branch.slice(`sparring/${runId}/`.length)}${isTip ? "" : `@${commit.slice(0, 10)}`}`;
	return `refs/sparring/archive/${runId}/${name}`;
}

async function keep(repository: Repository, run: RunRecord, work: KeptWork): Promise<Archived> {
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

/** Deletes refs of a run in this repository. */
export async function removeRefs(
	repository: Repository,
	run: RunRecord,
	prefixes: readonly string[],
): Promise<void> {
	for (const prefix of prefixes)
		for (const { ref, oid } of await listRefs(repository, prefix))
			await deleteRef(repository, { ref, expected: oid }, wayOf(run));
}
