import type { MergeCommit } from "./merging.ts";
import { lineOf } from "./parsing.ts";
import { runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";
import { commitEdits, type TreeEdit } from "./write-tree.ts";

/** A file to put into a tree. */
export interface PlacedFile {
	/** Relative to the top, with `/`. */
	readonly path: string;
	readonly mode: string;
	/** Object id of the blob; null takes the path out. */
	readonly oid: string | null;
}

export interface CommitWithFiles extends Pick<MergeCommit, "parents" | "message" | "at"> {
	/** Null: the commit has the given files alone. */
	readonly of: string | null;
	readonly files: readonly PlacedFile[];
}

/**
 * Writes a commit without a work tree; moves no ref. A given file replaces what stands in its way, a directory too.
 */
export async function commitWithFiles(
	vault: Vault,
	{ of, files, ...commit }: CommitWithFiles,
): Promise<string> {
	const edits = files.map(
		({ path, mode, oid }): TreeEdit =>
			oid === null ? { kind: "remove", path } : { kind: "put", path, mode, oid },
	);
	return (await commitEdits(vault, { of, edits, ...commit })).commit;
}

/** Paths of the files of a commit that hold a word, in text files. */
export function filesNaming(vault: Vault, commit: string, word: string): Promise<string[]> {
	return runGit(vaultPlace(vault), {
		args: ["grep", "-I", "-l", "-w", "-F", "--full-name", "-e", word, commit, "--"],
		exitCodes: [0, 1],
		parse: (answer) =>
			lineOf(answer)
				.split("\n")
				.flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf(":") + 1)])),
	});
}
