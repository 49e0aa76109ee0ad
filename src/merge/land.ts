import { isAncestor, treeOf } from "../git/changes.ts";
import type { WayOut } from "../git/in-use.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import { couldMove, moveRefs, requireFree } from "../git/move-refs.ts";
import { keepUnder, type RefMove, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";

/** What bringing a run's merged work into its base branch needs. */
export interface Landing {
	readonly repository: Repository;
	readonly vault: Vault;
	readonly runId: string;
	/** Short names. */
	readonly base: string;
	readonly integration: string;
	/** Time of the merge commit, when one is needed, in ms since the epoch. */
	readonly at: number;
	/** A merge of the run whose whole work a commit does not hold; null when there is none. */
	readonly lostMerge: (commit: string) => Promise<string | null>;
	/** Whether the checks have passed on exactly this commit of the integration branch. */
	readonly isTested: (commit: string) => Promise<boolean>;
	/** Runs the checks on a commit from a cold setup; null: they pass, else why they do not. */
	readonly checkCold: (commit: string, tree: string) => Promise<string | null>;
}

/** What came of it; a refusal changes nothing that the user sees. */
export type Landed =
	| { readonly outcome: "landed" | "already_landed"; readonly commit: string }
	| { readonly outcome: "refused"; readonly reason: string };

/**
 * Brings the integration branch into the base branch, by fast-forward.
 *
 * A base that moved is merged into the integration branch first, and that commit is checked cold: what was tested is
 * what lands. Repeating it after a kill finishes what was begun.
 *
 * A worktree that stands on one of the two goes along. What is in the way there is found before anything is checked.
 *
 * @throws Fault `checkout-dirty` when one of the two is checked out with changes, `branch-in-use` when it is being
 * rebased, bisected or the like, `base-moved` when it moves meanwhile, `ref-in-the-way` when the integration branch was
 * set back to before what the run merged
 */
export async function land(landing: Landing): Promise<Landed> {
	const { repository, vault } = landing;
	const base = await requireBranch(repository, landing.base, "the base branch");
	const tip = await requireBranch(repository, landing.integration, "the integration branch");
	const isLanded = await isAncestor(vault, tip, base);
	const lost = await landing.lostMerge(isLanded ? base : tip);
	if (lost !== null) throw setBack(landing, tip, lost);
	if (isLanded) return { outcome: "already_landed", commit: base };
	const isForward = await isAncestor(vault, base, tip);
	const branches = isForward ? [landing.base] : [landing.base, landing.integration];
	await requireFree(repository, branches, wayOf(landing));
	return isForward ? await forward(landing, base, tip) : await bringBaseIn(landing, base, tip);
}

/** A tip that somebody else made, such as a conflict resolved by hand, is checked before it lands. */
async function untested(landing: Landing, tip: string): Promise<string | null> {
	if (await landing.isTested(tip)) return null;
	const red = await landing.checkCold(tip, await treeOf(landing.vault, tip));
	return red === null
		? null
		: `${landing.integration} holds a commit that this run did not test, and ${red}`;
}

async function forward(landing: Landing, base: string, tip: string): Promise<Landed> {
	const moves = [{ ref: `refs/heads/${landing.base}`, to: tip, from: base }];
	await requireMoves(landing, moves);
	const red = await untested(landing, tip);
	return red === null ? await moved(landing, moves, tip) : { outcome: "refused", reason: red };
}

async function bringBaseIn(landing: Landing, base: string, tip: string): Promise<Landed> {
	const { vault, runId } = landing;
	const forecast = await forecastMerge(vault, tip, base);
	if (!forecast.clean) {
		return { outcome: "refused", reason: conflictReason(landing, forecast.conflicts) };
	}
	const commit = await commitMerge(vault, {
		tree: forecast.tree,
		parents: [tip, base],
		message: messageWith(`Merge ${landing.base} into ${landing.integration}`, { run: runId }),
		at: landing.at,
	});
	const moves = [
		{ ref: `refs/heads/${landing.integration}`, to: commit, from: tip },
		{ ref: `refs/heads/${landing.base}`, to: commit, from: base },
	];
	await requireMoves(landing, moves);
	// The cold run may take long, and `git gc` removes what no ref holds.
	await keepUnder(landing.repository, `refs/sparring/${runId}/landing`, commit);
	const red = await landing.checkCold(commit, await treeOf(vault, commit));
	if (red === null) return await moved(landing, moves, commit);
	const reason = `${landing.base} moved since the run began, and together with the run's work ${red}`;
	return { outcome: "refused", reason };
}

/** Ends with the commands of the way out, in the order in which they are run. */
function conflictReason({ base, integration, runId }: Landing, paths: readonly string[]): string {
	return `${base} moved since the run began, and it conflicts with the run's work in: ${paths.join(", ")}. Merge by hand: run \`git switch ${integration}\` and \`git merge ${base}\`, resolve the conflicts, then run \`git commit --all --no-edit\`, \`git switch -\` and \`spar land ${runId}\`. The result is checked before it lands`;
}

/** A checkout that is in the way is better known before the checks have run. */
async function requireMoves(landing: Landing, moves: readonly RefMove[]): Promise<void> {
	if (!(await couldMove(landing.repository, moves, wayOf(landing)))) throw branchMoved(landing);
}

async function moved(landing: Landing, moves: readonly RefMove[], commit: string): Promise<Landed> {
	if (!(await moveRefs(landing.repository, moves, wayOf(landing)))) throw branchMoved(landing);
	return { outcome: "landed", commit };
}

function wayOf({ base, runId }: Landing): WayOut {
	return { base, again: `spar land ${runId}` };
}

/** What would land does not hold what the run merged. */
function setBack({ integration, runId }: Landing, tip: string, lost: string): Fault {
	return new Fault(
		`the branch ${integration} stands at ${tip}, which does not hold the merged work of ${lost}`,
		{
			code: "ref-in-the-way",
			hint: `Put it back with \`git branch -f ${integration} ${lost}\`, then run \`spar land ${runId}\`.`,
		},
	);
}

function branchMoved({ base, integration, runId }: Landing): Fault {
	return new Fault(`${base} or ${integration} moved while it was being landed`, {
		code: "base-moved",
		hint: `Land again, which brings the new state in and checks it first: spar land ${runId}`,
		retryable: true,
	});
}

async function requireBranch(
	repository: Repository,
	branch: string,
	what: string,
): Promise<string> {
	const commit = await readRef(repository, `refs/heads/${branch}`);
	if (commit !== undefined) return commit;
	throw new Fault(`${what} ${branch} does not exist`, {
		code: "nothing-to-land",
		hint: "Restore it from the reflog (git reflog), or start a new run.",
	});
}
