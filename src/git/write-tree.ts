import { rm } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "../kernel/ids.ts";
import { indexEntry, lineOf, nothing, stageEntries } from "./parsing.ts";
import { runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** A path of a tree, and what shall stand there. */
export type TreeEdit =
	| {
			readonly path: string;
			readonly kind: "put";
			readonly mode: string;
			/** Object id of a blob, or of a submodule's commit. */
			readonly oid: string;
	  }
	| { readonly path: string; readonly kind: "write"; readonly mode: string; readonly text: string }
	| { readonly path: string; readonly kind: "remove" };

/**
 * Writes the tree of a commit with some paths changed, without a work tree. Moves no ref.
 *
 * A path that is put where the commit has a directory replaces it, and the other way round.
 *
 * @returns the id of the new tree; that of the commit when there are no edits
 */
export async function writeTree(
	vault: Vault,
	commit: string,
	edits: readonly TreeEdit[],
): Promise<string> {
	const indexFile = join(vault.gitDir, `tree-${randomId(8)}.index`);
	const place = { ...vaultPlace(vault), indexFile };
	try {
		await runGit(place, { args: ["read-tree", commit], mayLock: true, parse: nothing });
		const removals = edits.filter(({ kind }) => kind === "remove");
		const puts = edits.filter(({ kind }) => kind !== "remove");
		// Removed first, so that no path stands in the way of one below it.
		for (const some of [removals, puts]) {
			const entries = await Promise.all(some.map((edit) => entryOf(vault, edit)));
			if (entries.length > 0) await runGit(place, stageEntries(entries));
		}
		return await runGit(place, { args: ["write-tree"], mayLock: true, parse: lineOf });
	} finally {
		await rm(indexFile, { force: true });
	}
}

async function entryOf(vault: Vault, edit: TreeEdit): Promise<Buffer> {
	const path = Buffer.from(edit.path);
	switch (edit.kind) {
		case "put":
			return indexEntry(edit.mode, edit.oid, path);
		case "write":
			return indexEntry(edit.mode, await writeBlob(vault, edit.text), path);
		case "remove":
			// The mode says what happens; the length of the id must be right.
			return indexEntry(
				"0",
				"0".repeat(vault.repository.objectFormat === "sha256" ? 64 : 40),
				path,
			);
	}
}

function writeBlob(vault: Vault, text: string): Promise<string> {
	return runGit(vaultPlace(vault), {
		args: ["hash-object", "-w", "--stdin"],
		stdin: text,
		parse: lineOf,
	});
}
