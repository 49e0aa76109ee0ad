import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import { indexEntry, lineOf, nothing, stageEntries } from "./parsing.ts";
import { type GitPlace, runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

const PROGRAM = "100755";

/** A path of a tree, and what shall stand there. */
export type TreeEdit =
	| {
			readonly path: string;
			readonly kind: "put";
			readonly mode: string;
			/** Object id of a blob, or of a submodule's commit. */
			readonly oid: string;
	  }
	| {
			readonly path: string;
			readonly kind: "write";
			/** A text is a file: of what was a link here only the place is kept. */
			readonly mode: string;
			readonly text: string;
	  }
	| { readonly path: string; readonly kind: "remove" };

/**
 * Writes the tree of a commit with some paths changed, without a work tree. Moves no ref.
 *
 * A path that is put where the commit has a directory replaces it, and the other way round.
 *
 * @param commit null: the tree has what is put into it alone
 * @returns the id of the new tree; that of the commit when there are no edits
 */
export function writeTree(
	vault: Vault,
	commit: string | null,
	edits: readonly TreeEdit[],
): Promise<string> {
	return withOwnIndex(vault, async (place) => {
		const source = commit ?? "--empty";
		await runGit(place, { args: ["read-tree", source], mayLock: true, parse: nothing });
		// Removed first, so that what is put in the place of a folder stays.
		const removals = edits.filter(({ kind }) => kind === "remove");
		const puts = edits.filter(({ kind }) => kind !== "remove");
		const entries = await Promise.all([...removals, ...puts].map((edit) => entryOf(vault, edit)));
		if (entries.length > 0) await runGit(place, stageEntries(entries));
		return await runGit(place, { args: ["write-tree"], mayLock: true, parse: lineOf });
	});
}

/**
 * Gives an index that nothing else uses, in a folder that goes afterwards, with the lock of a git command that was
 * killed.
 */
export async function withOwnIndex<T>(
	vault: Vault,
	act: (place: GitPlace) => Promise<T>,
): Promise<T> {
	const folder = asideOf(join(vault.gitDir, "index"));
	mkdirSync(folder);
	try {
		return await act({ ...vaultPlace(vault), indexFile: join(folder, "index") });
	} finally {
		await removeFiles(folder);
	}
}

async function entryOf(vault: Vault, edit: TreeEdit): Promise<Buffer> {
	const path = Buffer.from(edit.path);
	switch (edit.kind) {
		case "put":
			return indexEntry(edit.mode, edit.oid, path);
		case "write":
			return indexEntry(
				edit.mode === PROGRAM ? PROGRAM : "100644",
				await writeText(vault, edit.text),
				path,
			);
		case "remove":
			// The mode says what happens; the length of the id must be right.
			return indexEntry(
				"0",
				"0".repeat(vault.repository.objectFormat === "sha256" ? 64 : 40),
				path,
			);
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
