import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isAncestor } from "../git/changes.ts";
import { removeTree } from "../git/file-tree.ts";
import type { WayOut } from "../git/in-use.ts";
import { deleteRef, keepsBranches } from "../git/move-refs.ts";
import { listRefs, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { openVault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import type { RunRecord } from "../store/records.ts";
import { isUnended } from "./find-run.ts";
import { type Places, runDirectory } from "./places.ts";
import type { PruneReport } from "./sparring.ts";
import type { Store } from "./store.ts";
import { privatePrefix } from "./task-refs.ts";

interface Prune {
	readonly store: Store;
	readonly places: Places;
	readonly repository: Repository;
	readonly force: boolean;
}

/**
 * Removes checkouts and refs of ended runs. A run with work that no other branch holds is kept unless forced.
 * Its records stay: `spar trace` and `spar status` still tell what happened.
 */
export async function pruneRuns(prune: Prune): Promise<PruneReport> {
	const pruned: string[] = [];
	const kept: { run_id: string; reason: string }[] = [];
	for (const run of await prune.store.records.runs()) {
		if (run.pruned) continue;
		const obstacle = await obstacleOf(prune, run);
		if (obstacle === null && (await pruneRun(prune, run))) pruned.push(run.runId);
		else kept.push({ run_id: run.runId, reason: obstacle ?? "another process holds it" });
	}
	return { pruned, kept };
}

async function obstacleOf(prune: Prune, run: RunRecord): Promise<string | null> {
	if (isUnended(run))
		return `it has not ended: resume it, or give it up with spar cancel ${run.runId}`;
	const inUse = await usedBranches(prune, run);
	if (inUse !== null || prune.force) return inUse;
	const unmerged = await unmergedBranches(prune, run);
	if (unmerged.length === 0) return null;
	const merged = (await prune.store.records.tasks(run.runId)).some((task) => task.merged);
	const keep = merged ? `Land it (spar land ${run.runId}), or remove` : "Remove";
	return `it holds work that ${run.baseBranch} does not: ${unmerged.join(", ")}. ${keep} it with spar prune --force`;
}

/** Which branch of the run a worktree of the user's stands on; a deleted one would leave its HEAD without a commit. */
async function usedBranches({ repository }: Prune, run: RunRecord): Promise<string | null> {
	const refs = await listRefs(repository, `refs/heads/sparring/${run.runId}/`);
	const names = refs.map(({ ref }) => ref);
	return await keepsBranches(repository, names, wayOf(run));
}

function wayOf({ baseBranch }: RunRecord): WayOut {
	return { base: baseBranch, again: "spar prune" };
}

/** Branches of the run whose commits are neither in the base branch nor where the run began. */
async function unmergedBranches({ repository, places }: Prune, run: RunRecord): Promise<string[]> {
	const base = (await readRef(repository, `refs/heads/${run.baseBranch}`)) ?? run.baseCommit;
	const vault = await openVault(repository, runDirectory(places, run.runId), {
		mark: `${run.runId}:git`,
	});
	const unmerged: string[] = [];
	for (const { ref, oid } of await listRefs(repository, `refs/heads/sparring/${run.runId}/`)) {
		if (!(await isAncestor(vault, oid, base))) unmerged.push(ref.slice("refs/heads/".length));
	}
	return unmerged;
}

/** False when another process holds the run. */
async function pruneRun(prune: Prune, run: RunRecord): Promise<boolean> {
	const { store, places, repository } = prune;
	const lease = await store.leases.take(run.runId).catch((error: unknown) => {
		if (error instanceof Fault && error.code === "run-held") return null;
		throw error;
	});
	if (lease === null) return false;
	try {
		// Looked at again under the lease: the run may have been reopened in between.
		const current = await prune.store.records.run(run.runId);
		if (current === undefined || current.pruned || (await obstacleOf(prune, current)) !== null)
			return false;
		await removeTree(runDirectory(places, run.runId));
		await rm(join(places.stateDir, "worktrees", run.runId), { force: true });
		for (const prefix of [`refs/heads/sparring/${run.runId}/`, privatePrefix(run.runId)]) {
			for (const { ref, oid } of await listRefs(repository, prefix))
				await deleteRef(repository, { ref, expected: oid }, wayOf(run));
		}
		await store.records.commit(lease, [{ kind: "run", runId: run.runId, patch: { pruned: true } }]);
		return true;
	} finally {
		await lease.release();
	}
}
