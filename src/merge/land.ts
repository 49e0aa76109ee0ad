import { isAncestor, treeOf } from "../git/changes.ts";
import { forecastMerge, type MergeCommit, mergeBase } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import {
	type BranchMove,
	type LandingBranches,
	placed,
	putBack,
	setBack,
	type ToldBranch,
} from "./landing-branches.ts";

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
	/** Tells whether the checks have passed on exactly this commit of the integration branch. */
	readonly isTested: (commit: string) => Promise<boolean>;
	/** Told of the merge of a moved base once the checks have passed on it, before a branch moves there. */
	readonly onBaseMerged: (commit: string) => Promise<void>;
	/** Runs the checks on a commit after a cold setup. Returns null when they pass, else the reason. */
	readonly checkCold: (commit: string, tree: string) => Promise<string | null>;
}

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
	if (lost !== null) throw landingSetBack(landing, { tip, lost });
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
 * Commit that a landing would bring into the base branch, if the base did not move: tested, and whole. For a pull request,
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
	if (lost !== null) throw landingSetBack(landing, { tip: commit, lost });
	return { commit, red: await untested({ ...landing, proposes: true }, commit) };
}

type Tip = Pick<Landing, "branches" | "vault" | "runId" | "base" | "integration" | "lostMerge">;

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

async function integrationTip(landing: Tip, base: string): Promise<string> {
	const tip = await landing.branches.tip(landing.integration);
	if (tip === undefined) throw integrationGone(landing, await landing.lostMerge(base));
	return tip;
}

interface ToldLanding {
	readonly branches: Pick<LandingBranches, "remote">;
	readonly runId: string;
	readonly base: string;
	readonly integration: string;
	readonly proposes?: boolean;
}

const told = ({ branches }: ToldLanding, branch: string): ToldBranch => ({
	remote: branches.remote,
	branch,
});

// It does not hold what the run merged.
const landingSetBack = (
	landing: ToldLanding,
	at: { readonly tip: string; readonly lost: string },
): Fault => setBack(told(landing, landing.integration), at, `run \`spar land ${landing.runId}\``);

function conflictReason(landing: ToldLanding, paths: readonly string[]): string {
	const steps = byHand(landing, {
		merge: "git merge",
		work: "resolve the conflicts",
		commit: "git commit --all --no-edit",
	});
	return `${placed(told(landing, landing.base))} has moved since the run began, and it conflicts with the run's work in: ${paths.join(", ")}. Merge by hand: ${steps}`;
}

function redReason(
	landing: ToldLanding,
	{ red, at }: { readonly red: string; readonly at: "merged_base" | "strange_commit" },
): string {
	const { base, integration } = landing;
	const isMerged = at === "merged_base";
	const what = isMerged
		? `${placed(told(landing, base))} has moved since the run began, and merged with the run's work, ${red}`
		: `${integration} contains a commit that this run did not test, and ${red}`;
	const steps = byHand(landing, {
		merge: isMerged ? "git merge --no-edit" : null,
		work: "make the checks pass",
		commit: "git commit --all",
	});
	return `${what}. If the cause is not in the code, remove it and run \`${again(landing)}\`. Else fix it by hand: ${steps}`;
}

const again = ({ runId, proposes = false }: ToldLanding): string =>
	`spar land ${runId}${proposes ? " --pr" : ""}`;

function byHand(
	landing: ToldLanding,
	{
		merge,
		work,
		commit,
	}: {
		readonly merge: string | null;
		readonly work: string;
		readonly commit: string;
	},
): string {
	const { base, integration, branches } = landing;
	const { remote } = branches;
	const from = remote === null ? base : `${remote}/${base}`;
	const update = [`git switch ${integration}`];
	if (remote !== null) {
		update.unshift(`git fetch ${remote}`);
		update.push(`git merge --ff-only ${remote}/${integration}`);
	}
	if (merge !== null) update.push(`${merge} ${from}`);
	const push = remote === null ? [] : [`git push ${remote} ${integration}`];
	return `run ${inOrder(update)}, ${work}, then run ${inOrder([commit, ...push, "git switch -", again(landing)])}. The result is checked before it lands`;
}

function inOrder(commands: readonly string[]): string {
	const quoted = commands.map((command) => `\`${command}\``);
	const last = quoted.pop() ?? "";
	return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

function unrelatedReason(landing: ToldLanding): string {
	const { base, integration } = landing;
	return `${placed(told(landing, base))} has no commit in common with ${placed(told(landing, integration))}: its history was replaced. Bring the work over by hand (git cherry-pick), or put the old history back`;
}

function integrationGone(landing: ToldLanding, lost: string | null): Fault {
	return new Fault(
		`the integration branch ${placed(told(landing, landing.integration))} does not exist`,
		{
			code: "nothing-to-land",
			hint:
				lost === null
					? `${placed(told(landing, landing.base))} seems to hold what the run merged. If not, restore the branch from the reflog (git reflog).`
					: `Put it back with \`${putBack(told(landing, landing.integration), { tip: null, to: lost })}\`, then run \`spar land ${landing.runId}\`.`,
		},
	);
}

function baseGone(landing: ToldLanding): Fault {
	const { base, runId, branches } = landing;
	return new Fault(`the base branch ${placed(told(landing, base))} does not exist`, {
		code: "nothing-to-land",
		hint:
			branches.remote === null
				? "Restore it from the reflog (git reflog), or start a new run."
				: `Push it: \`git push ${branches.remote} ${base}\`, then run \`spar land ${runId}\`.`,
	});
}

function branchMoved(landing: ToldLanding): Fault {
	const { base, integration, runId } = landing;
	return new Fault(`${placed(told(landing, base))} or ${integration} moved during the landing`, {
		code: "base-moved",
		hint: `Land again to merge and check the new state: spar land ${runId}`,
		retryable: true,
	});
}
