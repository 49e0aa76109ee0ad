import { isAncestor, treeOf } from "../git/changes.ts";
import { forecastMerge, type MergeCommit, mergeBase } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import type { BranchMove, LandingBranches } from "./landing-branches.ts";
import {
	baseGone,
	branchMoved,
	conflictReason,
	integrationGone,
	redReason,
	setBack,
	type ToldLanding,
	unrelatedReason,
} from "./landing-words.ts";

/** A run whose integration branch goes into its base branch. */
export interface Landing {
	readonly branches: LandingBranches;
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
 * What is in the way of the branches is reported before any check runs.
 *
 * @throws Fault `base-moved` when one of the two moves meanwhile, `ref-in-the-way` when the integration branch was set back
 * to before what the run merged, `nothing-to-land` when one of them is gone, and what the branches throw: in this
 * repository `checkout-dirty` and `branch-in-use`, on a remote `remote-unreachable`, `lease-lost`, and `push-refused` while
 * another push is under way
 */
export async function land(landing: Landing): Promise<Landed> {
	const { branches, vault } = landing;
	const base = await branches.tip(landing.base);
	if (base === undefined) throw baseGone(landing);
	const tip = await integrationTip(landing, base);
	const isLanded = await isAncestor(vault, tip, base);
	const lost = await landing.lostMerge(isLanded ? base : tip);
	if (lost !== null) throw setBack(landing, { tip, lost });
	if (isLanded) return { outcome: "already_landed", commit: base };
	const isForward = await isAncestor(vault, base, tip);
	await branches.requireFree(isForward ? [landing.base] : [landing.base, landing.integration]);
	try {
		return isForward ? await forward(landing, base, tip) : await bringBaseIn(landing, base, tip);
	} catch (error) {
		// The remote has said no, and will say so again.
		if (!(error instanceof Fault) || error.code !== "push-refused" || error.retryable) throw error;
		return { outcome: "refused", reason: [error.message, error.hint].filter(Boolean).join(". ") };
	}
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
		"branches" | "vault" | "runId" | "base" | "integration" | "lostMerge" | "isTested" | "checkCold"
	>,
): Promise<{ readonly commit: string; readonly red: string | null }> {
	const base = await landing.branches.tip(landing.base);
	if (base === undefined) throw baseGone(landing);
	const commit = await integrationTip(landing, base);
	const lost = await landing.lostMerge(commit);
	if (lost !== null) throw setBack(landing, { tip: commit, lost });
	return { commit, red: await untested({ ...landing, proposes: true }, commit) };
}

type Tip = Pick<Landing, "branches" | "vault" | "runId" | "base" | "integration" | "lostMerge">;

/** Checks a tip that this run did not make, such as a conflict resolved by hand. */
async function untested(
	landing: ToldLanding & Pick<Landing, "vault" | "isTested" | "checkCold">,
	tip: string,
): Promise<string | null> {
	if (await landing.isTested(tip)) return null;
	const red = await landing.checkCold(tip, await treeOf(landing.vault, tip));
	return red === null ? null : redReason(landing, { red, at: "strange_commit" });
}

async function forward(landing: Landing, base: string, tip: string): Promise<Landed> {
	const moves = [{ branch: landing.base, to: tip, from: base }];
	await requireMoves(landing, moves);
	const red = await untested(landing, tip);
	return red === null ? await moved(landing, moves, tip) : { outcome: "refused", reason: red };
}

async function bringBaseIn(landing: Landing, base: string, tip: string): Promise<Landed> {
	const { vault, runId } = landing;
	if ((await mergeBase(vault, tip, base)) === undefined)
		return { outcome: "refused", reason: unrelatedReason(landing) };
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
		{ branch: landing.integration, to: commit, from: tip },
		{ branch: landing.base, to: commit, from: base },
	];
	await requireMoves(landing, moves);
	// The cold run may take a while, and `git gc` removes commits that no ref points to.
	await landing.branches.keep(commit);
	const red = await landing.checkCold(commit, await treeOf(vault, commit));
	if (red === null) {
		await landing.onBaseMerged(commit);
		return await moved(landing, moves, commit);
	}
	return { outcome: "refused", reason: redReason(landing, { red, at: "merged_base" }) };
}

/** Finds what is in the way before the checks run, not after. */
async function requireMoves(landing: Landing, moves: readonly BranchMove[]): Promise<void> {
	if (!(await landing.branches.couldMove(moves))) throw branchMoved(landing);
}

async function moved(
	landing: Landing,
	moves: readonly BranchMove[],
	commit: string,
): Promise<Landed> {
	if (!(await landing.branches.move(moves))) throw branchMoved(landing);
	return { outcome: "landed", commit };
}

/** The tip of the integration branch; where it is gone, the run's records know where the last merge left it. */
async function integrationTip(landing: Tip, base: string): Promise<string> {
	const tip = await landing.branches.tip(landing.integration);
	if (tip === undefined) throw integrationGone(landing, await landing.lostMerge(base));
	return tip;
}
