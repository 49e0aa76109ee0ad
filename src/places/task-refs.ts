import type { WayOut } from "../git/in-use.ts";
import { moveRefs } from "../git/move-refs.ts";
import { keepUnder, type RefMove, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { notIn } from "../git/wholeness.ts";
import type { Fault } from "../kernel/fault.ts";
import type { TaskRefs } from "../loop/context.ts";
import { branchGone, branchMovedAway, setBack } from "../merge/landing-branches.ts";

export function privatePrefix(runId: string): string {
	return `refs/sparring/${runId}/`;
}

export function headsOf(runId: string): string {
	return `refs/heads/sparring/${runId}/`;
}

/** Below these stand all refs of a run but those that keep its commits from pruning. */
export function ownPrefixes(runId: string): readonly [heads: string, kept: string] {
	return [headsOf(runId), privatePrefix(runId)];
}

/** Way on after one of the branches of a run could not be moved. */
export function wayOfRun(runId: string, base: string): WayOut {
	return { base, again: `spar resume ${runId}` };
}

export interface MovingTask {
	readonly runId: string;
	readonly taskId: string;
	readonly branch: string;
	readonly integration: string;
	/** Commits that the tasks of the run have merged: the integration branch must hold all of it. */
	readonly merged: () => Promise<readonly string[]>;
	readonly base: string;
	/** Asked before a ref moves. @throws Fault `lease-lost` when another process has taken over what it holds */
	readonly requireLease: () => Promise<void>;
}

/** The branches and private refs that one task moves, in a repository that no other machine works in. */
export function taskRefs(repository: Repository, task: MovingTask): TaskRefs {
	const branch = `refs/heads/${task.branch}`;
	const integration = `refs/heads/${task.integration}`;
	const way = wayOfRun(task.runId, task.base);
	return {
		publish: async (label, commit, previous) => {
			const kept = `${privatePrefix(task.runId)}${task.taskId}/${label}`;
			const fresh = [
				{ ref: branch, to: commit, from: previous },
				{ ref: kept, to: commit, from: null },
			];
			await task.requireLease();
			// Unless this is a repetition after a kill, nothing is to be looked at: one command moves both.
			if (await moveRefs(repository, fresh, way)) return;
			const stands = await readRef(repository, branch);
			const movedAway = (): Fault =>
				branchMovedAway(
					{ remote: null, branch: task.branch },
					{ present: stands, expected: previous },
				);
			if (stands !== commit && (stands ?? null) !== previous) throw movedAway();
			const moves = [
				await missingMove(repository, branch, commit),
				await missingMove(repository, kept, commit),
			];
			if (!(await moveRefs(repository, moves.flat(), way))) throw movedAway();
		},
		keep: async (label, commit) => {
			await task.requireLease();
			await keepUnder(repository, `${privatePrefix(task.runId)}${task.taskId}/${label}`, commit);
		},
		pushed: async () => null,
		integrationTip: async () => {
			return await wholeTip(task, null, {
				bring: () => readRef(repository, integration),
				missingIn: async (tip, commits) => (await notIn(repository, tip, commits))[0] ?? null,
			});
		},
		moveIntegration: async (from, to) => {
			await task.requireLease();
			return await moveRefs(repository, [{ ref: integration, to, from }], way);
		},
	};
}

// It is gone, or does not hold what the run's tasks have merged.
export async function wholeTip(
	{ integration: branch, merged: mergedSoFar }: MovingTask,
	remote: string | null,
	look: {
		readonly bring: () => Promise<string | undefined>;
		/** The first of the commits that the tip's history lacks; null: none. */
		readonly missingIn: (tip: string, commits: readonly string[]) => Promise<string | null>;
	},
): Promise<string> {
	// Before the tip: what another task merges in between stands on the branch first.
	const merged = await mergedSoFar();
	const tip = await look.bring();
	if (tip === undefined) throw branchGone({ remote, branch });
	const lost = await look.missingIn(tip, merged);
	if (lost !== null) throw setBack({ remote, branch }, { tip, lost }, "resume");
	return tip;
}

async function missingMove(
	repository: Repository,
	ref: string,
	commit: string,
): Promise<RefMove[]> {
	const from = (await readRef(repository, ref)) ?? null;
	return from === commit ? [] : [{ ref, to: commit, from }];
}
