import { Fault } from "../kernel/fault.ts";
import type { LandingBranches } from "./landing-branches.ts";

/** A landing as people are told of it. Branches are named by their short names. */
export interface ToldLanding {
	readonly branches: Pick<LandingBranches, "remote">;
	readonly runId: string;
	readonly base: string;
	readonly integration: string;
	/** Whether it goes out as a pull request, and moves no branch; left out: it lands. */
	readonly proposes?: boolean;
}

/** Lists the commands to run, in order. */
export function conflictReason(landing: ToldLanding, paths: readonly string[]): string {
	const steps = byHand(landing, {
		merge: "git merge",
		work: "resolve the conflicts",
		commit: "git commit --all --no-edit",
	});
	return `${placed(landing, landing.base)} has moved since the run began, and it conflicts with the run's work in: ${paths.join(", ")}. Merge by hand: ${steps}`;
}

/** The checks of what would land did not pass. `red` says which and why; `at` what they ran on. */
export function redReason(
	landing: ToldLanding,
	{ red, at }: { readonly red: string; readonly at: "merged_base" | "strange_commit" },
): string {
	const { base, integration } = landing;
	const isMerged = at === "merged_base";
	const what = isMerged
		? `${placed(landing, base)} has moved since the run began, and merged with the run's work, ${red}`
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

/** What a person does on the integration branch, then to land it. */
function byHand(
	landing: ToldLanding,
	{
		merge,
		work,
		commit,
	}: {
		/** How the base is merged first; null: it is not. */
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

/** @example `` `git switch a` and `git merge b` `` */
function inOrder(commands: readonly string[]): string {
	const quoted = commands.map((command) => `\`${command}\``);
	const last = quoted.pop() ?? "";
	return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

/** The base was replaced by another history since the run began. */
export function unrelatedReason(landing: ToldLanding): string {
	const { base, integration } = landing;
	return `${placed(landing, base)} has no commit in common with ${placed(landing, integration)}: its history was replaced. Bring the work over by hand (git cherry-pick), or put the old history back`;
}

/** What would land does not hold what the run merged. */
export function setBack(
	landing: ToldLanding,
	{ tip, lost }: { readonly tip: string; readonly lost: string },
): Fault {
	return new Fault(
		`the branch ${placed(landing, landing.integration)} stands at ${tip}, which does not hold the merged work of ${lost}`,
		{ code: "ref-in-the-way", hint: putBack(landing, { tip, lost }) },
	);
}

/** @param lost the newest merge that the base does not hold either; null: it holds all of them */
export function integrationGone(landing: ToldLanding, lost: string | null): Fault {
	return new Fault(
		`the integration branch ${placed(landing, landing.integration)} does not exist`,
		{
			code: "nothing-to-land",
			hint:
				lost === null
					? `${placed(landing, landing.base)} seems to hold what the run merged. If not, restore the branch from the reflog (git reflog).`
					: putBack(landing, { tip: null, lost }),
		},
	);
}

export function baseGone(landing: ToldLanding): Fault {
	const { base, runId, branches } = landing;
	return new Fault(`the base branch ${placed(landing, base)} does not exist`, {
		code: "nothing-to-land",
		hint:
			branches.remote === null
				? "Restore it from the reflog (git reflog), or start a new run."
				: `Push it: \`git push ${branches.remote} ${base}\`, then run \`spar land ${runId}\`.`,
	});
}

export function branchMoved(landing: ToldLanding): Fault {
	const { base, integration, runId } = landing;
	return new Fault(`${placed(landing, base)} or ${integration} moved during the landing`, {
		code: "base-moved",
		hint: `Land again to merge and check the new state: spar land ${runId}`,
		retryable: true,
	});
}

/** @example `main on origin` */
function placed({ branches }: ToldLanding, branch: string): string {
	return branches.remote === null ? branch : `${branch} on ${branches.remote}`;
}

/** @param at.tip where the branch stands; null: it is gone */
function putBack(
	{ integration, runId, branches }: ToldLanding,
	{ tip, lost }: { readonly tip: string | null; readonly lost: string },
): string {
	const command =
		branches.remote === null
			? `git branch -f ${integration} ${lost}`
			: `git push --force-with-lease=${integration}:${tip ?? ""} ${branches.remote} ${lost}:refs/heads/${integration}`;
	return `Put it back with \`${command}\`, then run \`spar land ${runId}\`.`;
}
