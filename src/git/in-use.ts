import { Fault } from "../kernel/fault.ts";
import { shellWord } from "../kernel/shell-word.ts";
import type { BranchUse, Operation } from "./branch-use.ts";
import { pathText } from "./parsing.ts";

/** Commands for a person after a branch could not be moved. */
export interface WayOut {
	/** Short name of the base branch, to which a worktree can switch from one of Sparring's branches. */
	readonly base: string;
	/** The command to continue with, such as `"spar resume 20261121-225752-mb2h"`. */
	readonly again: string;
}

export function obstacleOf(use: BranchUse, way: WayOut): Fault | null {
	if (use.operation !== null) return underWork(use, use.operation, way);
	return use.present ? null : missing(use, way);
}

export const END: Readonly<Record<Operation, string>> = {
	rebase: "rebase --abort",
	am: "am --abort",
	bisect: "bisect reset",
	merge: "merge --abort",
	"cherry-pick": "cherry-pick --abort",
	revert: "revert --abort",
};

function underWork({ ref, root }: BranchUse, operation: Operation, way: WayOut): Fault {
	return new Fault(`${shortName(ref)} cannot move: a git ${operation} is in progress in ${root}`, {
		code: "branch-in-use",
		hint: `Finish it there, or end it with \`git -C ${shellWord(root)} ${END[operation]}\`. Then: ${way.again}`,
	});
}

function missing({ ref, root }: BranchUse, way: WayOut): Fault {
	return new Fault(
		`${shortName(ref)} is checked out in the worktree ${root}, which does not exist`,
		{
			code: "branch-in-use",
			hint: `If you deleted it, run \`git worktree prune\` (if it is locked, \`git worktree unlock\` first; if something else is there now, move that away first). If you moved it, run \`git worktree repair <new path>\`. Then: ${way.again}`,
		},
	);
}

/**
 * Fault for a branch that cannot be moved with its worktree.
 *
 * @param elsewhere true where another worktree has the base branch checked out, so that git refuses to switch to it
 */
export function checkedOut(
	{ ref, root }: BranchUse,
	why: string,
	{ way, elsewhere }: { readonly way: WayOut; readonly elsewhere: boolean },
): Fault {
	return new Fault(`${shortName(ref)} is checked out in ${root}, ${why}`, {
		code: "branch-in-use",
		hint: `${leaving(root, way, elsewhere)}. Then: ${way.again}`,
	});
}

export function changesInTheWay(
	{ ref, root }: Pick<BranchUse, "ref" | "root">,
	paths: readonly Buffer[],
	{ way, elsewhere }: { readonly way: WayOut; readonly elsewhere: boolean },
): Fault {
	const names = [...new Set(paths.map(pathText))].sort();
	const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
	const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
	const branch = shortName(ref);
	const hint =
		branch === way.base
			? `Commit them, stash them with \`git stash -u\`, or move them away. Then: ${way.again}`
			: `Stash them with \`git -C ${shellWord(root)} stash -u\`, or commit them to another branch. ${leaving(root, way, elsewhere)}. Then: ${way.again}`;
	return new Fault(
		`the checkout of ${branch} in ${root} has changes in the way: ${shown.join(", ")}${more}`,
		{ code: "checkout-dirty", hint },
	);
}

function leaving(root: string, { base }: WayOut, elsewhere: boolean): string {
	const to = elsewhere ? "--detach" : shellWord(base);
	return `Leave the branch there with \`git -C ${shellWord(root)} switch ${to}\``;
}

function shortName(ref: string): string {
	return ref.replace(/^refs\/heads\//, "");
}
