import { copyFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { kindOf } from "./file-tree.ts";
import { joinZero, lineOf, nothing, zeroFields } from "./parsing.ts";
import { type Repository, userPlace } from "./repository.ts";
import { type GitPlace, type GitQuery, runGit } from "./run-git.ts";

/** Part of the user's work tree that is taken: all that is not ignored, or what is staged. */
export interface UserTreeRequest {
	readonly staged: boolean;
	/** Absolute path of the index that is taken; left out: that of the work tree. */
	readonly from?: string | undefined;
	/** Absolute path for an index of its own. */
	readonly indexFile: string;
	/** A path that is left out unless the commit at HEAD has it. */
	readonly without: string;
	readonly signal: AbortSignal;
}

export type UserTree =
	| { readonly kind: "tree"; readonly tree: string }
	/** Paths with conflicts that nobody has settled. */
	| { readonly kind: "unmerged"; readonly paths: readonly string[] };

/**
 * The user's work as a tree, by the user's own configuration, as `git add --all` would take it. The user's index, refs and
 * files stay as they are; only objects are written.
 */
export async function userTree(
	repository: Repository,
	{ staged, from, indexFile, without, signal }: UserTreeRequest,
): Promise<UserTree> {
	const own = from ?? join(repository.gitDir, "index");
	if (kindOf(own) === "file") await copyIndex(own, indexFile);
	const place: GitPlace = { ...userPlace(repository, signal), indexFile };
	const unmerged = await runGit(place, unmergedPaths);
	if (unmerged.length > 0) return { kind: "unmerged", paths: [...new Set(unmerged)] };
	if (!staged) await runGit(place, addAll);
	const isKnown = (await runGit(place, pathsAtHead(without))).length > 0;
	if (!isKnown) await runGit(place, forget(without));
	return { kind: "tree", tree: await runGit(place, writeIndex) };
}

// Git takes files for unchanged by the time of its index: a newer time would hide a change that was made at once.
async function copyIndex(from: string, to: string): Promise<void> {
	const { atime, mtime } = await stat(from);
	await copyFile(from, to);
	await utimes(to, atime, mtime);
}

const addAll: GitQuery<void> = {
	args: ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"],
	stdin: joinZero([":/"]),
	notLiteral: true,
	mayLock: true,
	parse: nothing,
};

const unmergedPaths: GitQuery<string[]> = {
	args: ["ls-files", "-z", "--unmerged"],
	parse: ({ stdout }) =>
		zeroFields(stdout).map((entry) => entry.toString("utf8").split("\t")[1] ?? ""),
};

const pathsAtHead = (path: string): GitQuery<Buffer[]> => ({
	args: ["ls-tree", "-z", "--name-only", "--full-tree", "HEAD", "--", path],
	parse: ({ stdout }) => zeroFields(stdout),
});

const forget = (path: string): GitQuery<void> => ({
	args: ["update-index", "--force-remove", "--", path],
	mayLock: true,
	parse: nothing,
});

const writeIndex: GitQuery<string> = { args: ["write-tree"], mayLock: true, parse: lineOf };
