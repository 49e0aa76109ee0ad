import { isAncestor, treeOf } from "../git/changes.ts";
import type { WayOut } from "../git/in-use.ts";
import { forecastMerge, type MergeCommit } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import { couldMove, moveRefs, requireFree } from "../git/move-refs.ts";
import { keepUnder, type RefMove, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";

/** A run whose integration branch goes into its base branch. */
export interface Landing {
	readonly repository: Repository;
	readonly vault: Vault;
	readonly runId: string;
	/** Short name of the branch, like `integration`. */
	readonly base: string;
	readonly integration: string;
	/** Time of the merge commit, if one is needed, in ms since the epoch. */
	readonly at: number;
	/** Writes a commit in the user's name. */
	readonly write: (commit: MergeCommit) => Promise<string>;
	/** A merge of the run whose whole work a commit does not hold; null when there is none. */
	readonly lostMerge: (commit: string) => Promise<string | null>;
	/** Whether the checks have passed on exactly this commit of the integration branch. */
	readonly isTested: (commit: string) => Promise<boolean>;
	/** Told of the merge of a moved base once the checks have passed on it, before a branch moves there. */
	readonly onBaseMerged: (commit: string) => Promise<void>;
	/** Runs the checks on a commit after a cold setup. Returns null when they pass, else the reason. */
	readonly checkCold: (commit: string, tree: string) => Promise<string | null>;
}

/** A refusal changes nothing that the user sees. */
export type Landed =
	| { readonly outcome: "landed" | "already_landed"; readonly commit: string }
	| { readonly outcome: "refused"; readonly reason: string };

/**
 * Fast-forwards the base branch to the integration branch.
 *
 * If the base has moved, it is first merged into the integration branch, and that commit is checked cold: what lands
 * has been tested. Safe to repeat after a kill.
 *
 * A worktree that has one of the two branches checked out moves with it. Obstacles there are reported before any check
 * runs.
 *
 * @throws Fault `checkout-dirty` when one of the two is checked out with changes, `branch-in-use` when it is being
 * rebased, bisected or the like, `base-moved` when it moves meanwhile, `ref-in-the-way` when the integration branch was
 * set back to before what the run merged
 */
export async function land(landing: Landing): Promise<Landed> {
	const { repository, vault } = landing;
	const base = await readRef(repository, `refs/heads/${landing.base}`);
	if (base === undefined) throw noBranch(`the base branch ${landing.base}`, REFLOG);
	const tip = await integrationTip(landing, base);
	const isLanded = await isAncestor(vault, tip, base);
	const lost = await landing.lostMerge(isLanded ? base : tip);
	if (lost !== null) throw setBack(landing, tip, lost);
	if (isLanded) return { outcome: "already_landed", commit: base };
	const isForward = await isAncestor(vault, base, tip);
	const branches = isForward ? [landing.base] : [landing.base, landing.integration];
	await requireFree(repository, branches, wayOf(landing));
	return isForward ? await forward(landing, base, tip) : await bringBaseIn(landing, base, tip);
}

/**
 * What a landing would bring into the base branch, if the base did not move: tested, and whole. For a pull request,
 * which is merged elsewhere. Moves nothing.
 *
 * @throws Fault as `land` does for a branch that is gone or was set back
 */
export async function landable(
	landing: Pick<
		Landing,
		| "repository"
		| "vault"
		| "runId"
		| "base"
		| "integration"
		| "lostMerge"
		| "isTested"
		| "checkCold"
	>,
): Promise<{ readonly commit: string; readonly red: string | null }> {
	const base = await readRef(landing.repository, `refs/heads/${landing.base}`);
	if (base === undefined) throw noBranch(`the base branch ${landing.base}`, REFLOG);
	const commit = await integrationTip(landing, base);
	const lost = await landing.lostMerge(commit);
	if (lost !== null) throw setBack(landing, commit, lost);
	return { commit, red: await untested(landing, commit) };
}

type Tip = Pick<Landing, "repository" | "vault" | "runId" | "base" | "integration" | "lostMerge">;

/** Checks a tip that this run did not make, such as a conflict resolved by hand. */
async function untested(
	landing: Pick<Landing, "vault" | "integration" | "isTested" | "checkCold">,
	tip: string,
): Promise<string | null> {
	if (await landing.isTested(tip)) return null;
	const red = await landing.checkCold(tip, await treeOf(landing.vault, tip));
	return red === null
		? null
		: `${landing.integration} contains a commit that this run did not test, and ${red}`;
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
	const commit = await landing.write({
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
	// The cold run may take a while, and `git gc` removes commits that no ref points to.
	await keepUnder(landing.repository, `refs/sparring/${runId}/landing`, commit);
	const red = await landing.checkCold(commit, await treeOf(vault, commit));
	if (red === null) {
		await landing.onBaseMerged(commit);
		return await moved(landing, moves, commit);
	}
	const reason = `${landing.base} has moved since the run began, and merged with the run's work, ${red}`;
	return { outcome: "refused", reason };
}

/** Lists the commands to run, in order. */
function conflictReason({ base, integration, runId }: Landing, paths: readonly string[]): string {
	return `${base} has moved since the run began, and it conflicts with the run's work in: ${paths.join(", ")}. Merge by hand: run \`git switch ${integration}\` and \`git merge ${base}\`, resolve the conflicts, then run \`git commit --all --no-edit\`, \`git switch -\` and \`spar land ${runId}\`. The result is checked before it lands`;
}

/** Finds a checkout in the way before the checks run, not after. */
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
function setBack({ integration, runId }: Tip, tip: string, lost: string): Fault {
	return new Fault(
		`the branch ${integration} stands at ${tip}, which does not hold the merged work of ${lost}`,
		{
			code: "ref-in-the-way",
			hint: `Put it back with \`git branch -f ${integration} ${lost}\`, then run \`spar land ${runId}\`.`,
		},
	);
}

function branchMoved({ base, integration, runId }: Landing): Fault {
	return new Fault(`${base} or ${integration} moved during the landing`, {
		code: "base-moved",
		hint: `Land again to merge and check the new state: spar land ${runId}`,
		retryable: true,
	});
}

const REFLOG = "Restore it from the reflog (git reflog), or start a new run.";

/** The tip of the integration branch; where it is gone, the run's records know where the last merge left it. */
async function integrationTip(landing: Tip, base: string): Promise<string> {
	const { repository, integration, runId } = landing;
	const tip = await readRef(repository, `refs/heads/${integration}`);
	if (tip !== undefined) return tip;
	const lost = await landing.lostMerge(base);
	const hint =
		lost === null
			? `${landing.base} seems to hold what the run merged. If not, restore the branch from the reflog (git reflog).`
			: `Put it back with \`git branch -f ${integration} ${lost}\`, then run \`spar land ${runId}\`.`;
	throw noBranch(`the integration branch ${integration}`, hint);
}

function noBranch(branch: string, hint: string): Fault {
	return new Fault(`${branch} does not exist`, { code: "nothing-to-land", hint });
}
