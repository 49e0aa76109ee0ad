import { rm } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "../kernel/ids.ts";
import { indexEntry, joinZero, lineOf, nothing } from "./parsing.ts";
import { runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** A file to put into a tree. */
export interface PlacedFile {
	/** Relative to the top, with `/`. */
	readonly path: string;
	readonly mode: string;
	/** Object id of the blob; null takes the path out. */
	readonly oid: string | null;
}

/** A commit made of the files of another one and some more. */
export interface CommitWithFiles {
	/** Commit whose files it has; null: it has the given ones alone. */
	readonly of: string | null;
	readonly files: readonly PlacedFile[];
	readonly parents: readonly string[];
	readonly message: string;
	/** Milliseconds since the epoch. The same time gives the same commit id. */
	readonly at: number;
}

/**
 * Writes a commit without a work tree; moves no ref. A given file replaces what stands in its way, a directory too.
 */
export async function commitWithFiles(
	vault: Vault,
	{ of, files, parents, message, at }: CommitWithFiles,
): Promise<string> {
	const indexFile = join(vault.gitDir, `index-${randomId(12)}`);
	const place = { ...vaultPlace(vault), indexFile };
	try {
		await runGit(place, {
			args: of === null ? ["read-tree", "--empty"] : ["read-tree", of],
			mayLock: true,
			parse: nothing,
		});
		const none = "0".repeat(vault.repository.objectFormat === "sha256" ? 64 : 40);
		const entries = files.map(({ path, mode, oid }) =>
			indexEntry(oid === null ? "0" : mode, oid ?? none, Buffer.from(path)),
		);
		if (entries.length > 0)
			await runGit(place, {
				args: ["update-index", "--add", "--replace", "-z", "--index-info"],
				stdin: joinZero(entries),
				mayLock: true,
				parse: nothing,
			});
		const tree = await runGit(place, { args: ["write-tree"], mayLock: true, parse: lineOf });
		return await runGit(place, {
			args: ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])],
			stdin: message,
			at,
			parse: lineOf,
		});
	} finally {
		await rm(indexFile, { force: true });
	}
}

/** Writes a text as a blob, and gives its id. */
export function writeText(vault: Vault, text: string): Promise<string> {
	return runGit(vaultPlace(vault), {
		args: ["hash-object", "-w", "--stdin"],
		stdin: text,
		parse: lineOf,
	});
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
