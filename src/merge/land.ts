import { isAncestor, treeOf } from "../git/changes.ts";
import { fastForward } from "../git/landing.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import { keepUnder, moveRef, readRef } from "../git/refs.ts";
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
 * @throws Fault `checkout-dirty` when the base is checked out with changes, `base-moved` when it moves meanwhile
 */
export async function land(landing: Landing): Promise<Landed> {
	const { repository, vault } = landing;
	const base = await requireBranch(repository, landing.base, "the base branch");
	const tip = await requireBranch(repository, landing.integration, "the integration branch");
	if (await isAncestor(vault, tip, base)) return { outcome: "already_landed", commit: base };
	if (await isAncestor(vault, base, tip)) {
		const red = await untested(landing, tip);
		return red === null ? forward(landing, base, tip) : { outcome: "refused", reason: red };
	}
	const merged = await bringBaseIn(landing, base, tip);
	return typeof merged === "string"
		? { outcome: "refused", reason: merged }
		: forward(landing, base, merged.commit);
}

/** A tip that somebody else made, such as a conflict resolved by hand, is checked before it lands. */
async function untested(landing: Landing, tip: string): Promise<string | null> {
	if (await landing.isTested(tip)) return null;
	const red = await landing.checkCold(tip, await treeOf(landing.vault, tip));
	return red === null
		? null
		: `${landing.integration} holds a commit that this run did not test, and ${red}`;
}

async function forward(landing: Landing, from: string, to: string): Promise<Landed> {
	await fastForward(landing.repository, { branch: landing.base, from, to });
	return { outcome: "landed", commit: to };
}

async function bringBaseIn(
	landing: Landing,
	base: string,
	tip: string,
): Promise<string | { readonly commit: string }> {
	const { repository, vault, runId } = landing;
	const forecast = await forecastMerge(vault, tip, base);
	if (!forecast.clean) {
		return `${landing.base} moved since the run began, and it conflicts with the run's work in: ${forecast.conflicts.join(", ")}. Merge ${landing.base} into ${landing.integration} by hand (git switch, git merge), then land again: the result is checked first`;
	}
	const commit = await commitMerge(vault, {
		tree: forecast.tree,
		parents: [tip, base],
		message: messageWith(`Merge ${landing.base} into ${landing.integration}`, { run: runId }),
		at: landing.at,
	});
	// The cold run may take long, and `git gc` removes what no ref holds.
	await keepUnder(repository, `refs/sparring/${runId}/landing`, commit);
	const red = await landing.checkCold(commit, await treeOf(vault, commit));
	if (red !== null)
		return `${landing.base} moved since the run began, and together with the run's work ${red}`;
	const ref = `refs/heads/${landing.integration}`;
	if (await moveRef(repository, { ref, to: commit, from: tip })) return { commit };
	throw new Fault(`${landing.integration} moved while it was being landed`, {
		code: "base-moved",
		hint: "Land again: spar land",
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
