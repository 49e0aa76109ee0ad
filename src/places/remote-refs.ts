import { type Pushed, pushRefs } from "../git/push-refs.ts";
import { keepUnder, type RefMove } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { heldCommits, notIn } from "../git/wholeness.ts";
import { Fault } from "../kernel/fault.ts";
import type { TaskRefs } from "../loop/context.ts";
import { branchMovedAway } from "../merge/landing-branches.ts";
import { bringTip, followBranch, hold, integrationOf } from "./follow-remote.ts";
import { type MovingTask, privatePrefix, wayOfRun, wholeTip } from "./task-refs.ts";

export interface RemoteTask extends MovingTask {
	readonly leaseEpoch: number;
}

/**
 * The branches and private refs of one task over a remote: what stands there counts, and the local refs follow.
 *
 * Commits come first: `publish` and `keep` have pushed them when they return, and the caller writes the row that names
 * them after that. The names of private refs carry the lease's epoch, so that a holder that was cut off cannot occupy
 * one. No ref moves that is not where it was expected, with one exception: a turn that an earlier holder pushed and
 * never recorded is replaced by the one that is recorded.
 */
export function remoteTaskRefs(repository: Repository, reach: Reach, task: RemoteTask): TaskRefs {
	const branch = `refs/heads/${task.branch}`;
	const integration = integrationOf(task.runId, task.integration);
	const way = wayOfRun(task.runId, task.base);
	const keptUnder = (label: string): string =>
		`${taskPrefix(task.runId, task.taskId)}${task.leaseEpoch}/${label}`;
	const push = async (moves: readonly RefMove[]): Promise<Pushed> => {
		await task.requireLease();
		return await pushRefs(repository, reach, moves);
	};
	/** Moves refs from wherever they stand. */
	const pushFrom = async (
		stands: ReadonlyMap<string, string>,
		refs: readonly string[],
		to: string,
	): Promise<Pushed> => {
		return await push(refs.map((ref) => ({ ref, from: stands.get(ref) ?? null, to })));
	};
	return {
		publish: async (label, commit, previous) => {
			const kept = keptUnder(label);
			await task.requireLease();
			await keepUnder(repository, kept, commit);
			const pushed = await push([
				{ ref: branch, from: previous, to: commit },
				{ ref: kept, from: null, to: commit },
			]);
			if (pushed.outcome === "stale") {
				const at = pushed.stands.get(branch) ?? null;
				const mayMove =
					at === commit ||
					at === previous ||
					(at !== null && (await isUnrecorded(repository, reach, { task, at, previous })));
				const again = mayMove ? await pushFrom(pushed.stands, [branch, kept], commit) : pushed;
				if (again.outcome === "stale")
					throw branchMovedAway(
						{ remote: reach.remote, branch: task.branch },
						{ present: again.stands.get(branch), expected: previous },
					);
			}
			await followBranch(repository, { ref: branch, to: commit }, way);
		},
		keep: async (label, commit) => {
			const kept = keptUnder(label);
			await task.requireLease();
			await keepUnder(repository, kept, commit);
			const pushed = await push([{ ref: kept, from: null, to: commit }]);
			if (pushed.outcome === "moved") return;
			const again = await pushFrom(pushed.stands, [kept], commit);
			if (again.outcome === "stale") throw occupied(reach.remote, kept);
		},
		pushed: async (label) => {
			const prefix = taskPrefix(task.runId, task.taskId);
			const [last] = (await remoteRefs(repository, reach, [prefix]))
				.filter(({ ref }) => ref.endsWith(`/${label}`) && epochOf(ref, prefix) <= task.leaseEpoch)
				.toSorted((one, other) => epochOf(other.ref, prefix) - epochOf(one.ref, prefix));
			if (last === undefined) return null;
			await fetchRefs(repository, reach, [`+${last.ref}:${last.ref}`]);
			return last.oid;
		},
		integrationTip: async () => {
			return await wholeTip(task, reach.remote, {
				bring: () => bringTip(repository, reach, { branch: integration, way }),
				missingIn: (tip, commits) => missingIn(repository, tip, commits),
			});
		},
		moveIntegration: async (from, to) => {
			const pushed = await push([{ ref: integration.ref, from, to }]);
			if (pushed.outcome === "stale") return false;
			await hold(repository, { branch: integration, to, way });
			return true;
		},
	};
}

export function taskPrefix(runId: string, taskId: string): string {
	return `${privatePrefix(runId)}${taskId}/`;
}

// A holder of the task pushed it before it could record it: it is under one of its private refs, and builds on what is
// recorded. Later holders are none: then this process has lost its lease.
async function isUnrecorded(
	repository: Repository,
	reach: Reach,
	{
		task,
		at,
		previous,
	}: { readonly task: RemoteTask; readonly at: string; readonly previous: string | null },
): Promise<boolean> {
	const prefix = taskPrefix(task.runId, task.taskId);
	const kept = await remoteRefs(repository, reach, [prefix]);
	const holders = kept.filter(({ oid }) => oid === at).map(({ ref }) => epochOf(ref, prefix));
	if (!holders.some((epoch) => epoch <= task.leaseEpoch)) return false;
	if (previous === null) return true;
	await fetchRefs(repository, reach, [`refs/heads/${task.branch}`]);
	return (await missingIn(repository, at, [previous])) === null;
}

function epochOf(ref: string, prefix: string): number {
	return Number.parseInt(ref.slice(prefix.length), 10);
}

/**
 * The first of some commits that is not in the history of a tip whose history is here; null when all are. One that the
 * repository does not have is in no such history.
 */
export async function missingIn(
	repository: Repository,
	tip: string,
	commits: readonly string[],
): Promise<string | null> {
	const held = await heldCommits(repository, [tip, ...commits]);
	if (!held.has(tip)) return tip;
	const unheld = commits.find((commit) => !held.has(commit));
	if (unheld !== undefined) return unheld;
	const [missing = null] = await notIn(repository, tip, commits);
	return missing;
}

function occupied(remote: string, ref: string): Fault {
	return new Fault(`the ref ${ref} on ${remote} moves while it is written`, {
		code: "ref-in-the-way",
		hint: "Only Sparring writes below refs/sparring/. Find out who else does, then resume.",
	});
}
