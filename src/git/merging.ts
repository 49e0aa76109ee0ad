import type { Person } from "../kernel/person.ts";
import { keepCommit } from "./changes.ts";
import { lineOf, pathText, zeroFields } from "./parsing.ts";
import { askGit, failure, type GitQuery, runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { vaultPlace } from "./vault.ts";

/** The result that a merge would have: a tree, and the paths that conflict. */
export type MergeForecast =
	| { readonly clean: true; readonly tree: string }
	/** `tree` contains both sides between conflict markers. */
	| { readonly clean: false; readonly tree: string; readonly conflicts: readonly string[] };

/** A commit to write on a branch: a merge, or with one parent the squashed work. */
export interface MergeCommit {
	readonly tree: string;
	/** The first is the tip of the branch that it is for. */
	readonly parents: readonly string[];
	readonly message: string;
	/** Milliseconds since the epoch. The same time gives the same commit id. */
	readonly at: number;
	/** Author and committer. Default: Sparring. */
	readonly by?: Person | undefined;
}

/**
 * Merges two commits without a work tree, by the merge attributes of the run's base commit.
 *
 * @throws Fault `git-failed` when the two have no common history, or one of them cannot be read
 */
export async function forecastMerge(
	vault: Vault,
	ours: string,
	theirs: string,
): Promise<MergeForecast> {
	const { mergeGitDir: gitDir, mergeTree } = vault;
	const at = mergeTree === null ? { cwd: gitDir } : { cwd: mergeTree, workTree: mergeTree };
	const place = { ...vaultPlace(vault), gitDir, ...at };
	const query = forecastQuery(ours, theirs);
	const answer = await askGit(place, query);
	const { exitCode, stdout } = answer;
	// git ends with 1 for a conflict, whose tree it names, and for a commit that it cannot read.
	if (exitCode > 1 || stdout.length === 0) throw failure(place, query, answer);
	return query.parse(answer);
}

function forecastQuery(ours: string, theirs: string): GitQuery<MergeForecast> {
	return {
		args: ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs],
		parse: ({ exitCode, stdout }) => {
			const [tree, ...paths] = zeroFields(stdout).map(pathText);
			if (exitCode === 0) return { clean: true, tree: tree ?? "" };
			return {
				clean: false,
				tree: tree ?? "",
				conflicts: [...new Set(paths.filter((path) => path !== ""))],
			};
		},
	};
}

/** Writes a commit; moves no ref. */
export async function commitMerge(vault: Vault, commit: MergeCommit): Promise<string> {
	const made = await runGit(vaultPlace(vault), commitQuery(commit));
	const [parent] = commit.parents;
	if (parent !== undefined) {
		keepCommit(vault, { parent, commit: made, tree: commit.tree, changes: null });
	}
	return made;
}

export function commitQuery(
	{ tree, parents, message, at, by }: MergeCommit,
	options: readonly string[] = [],
): GitQuery<string> {
	return {
		args: ["commit-tree", ...options, tree, ...parents.flatMap((parent) => ["-p", parent])],
		stdin: message,
		at,
		by,
		parse: lineOf,
	};
}

/** The best common ancestor of two commits; undefined when they have no common history. */
export function mergeBase(vault: Vault, one: string, other: string): Promise<string | undefined> {
	return runGit(vaultPlace(vault), {
		args: ["merge-base", one, other],
		exitCodes: [0, 1],
		parse: (answer) => (answer.exitCode === 0 ? lineOf(answer) : undefined),
	});
}

/** The commits after `base` up to `tip` along first parents: those made on the branch itself. */
export function firstParents(vault: Vault, base: string, tip: string): Promise<string[]> {
	return runGit(vaultPlace(vault), {
		args: ["rev-list", "--first-parent", tip, `^${base}`, "--"],
		parse: (answer) =>
			lineOf(answer)
				.split("\n")
				.filter((line) => line !== ""),
	});
}
