import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomId } from "../kernel/ids.ts";
import { keepCommit, keepFiles, treeOf } from "./changes.ts";
import type { TreeFile } from "./file-change.ts";
import type { MergeCommit } from "./merging.ts";
import { lineOf } from "./parsing.ts";
import { IDENTITY, runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

const PROGRAM = "100755";

/**
 * In the folder of `withOwnObjects`, which goes away: a pack needs no second process to unpack it, many small ones are no
 * harm, and no row names an object there, so that nothing waits for the disk.
 */
const IN_PASSING = ["-c", "fastimport.unpackLimit=1", "-c", "core.fsync=none"];

/** Settings for what is written into a folder that goes away with its check; none for another one. */
export const inPassing = ({ repository }: Vault): readonly string[] =>
	repository.lfsStorage === undefined ? [] : IN_PASSING;

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

export interface EditedCommit extends Omit<MergeCommit, "tree"> {
	/** Commit whose tree is changed; null: the tree has what is put into it alone. */
	readonly of: string | null;
	readonly edits: readonly TreeEdit[];
}

/** Folder of a vault for the refs to which commits are written. Each is gone once its commit is known, unless a kill comes between. */
export const MADE_REFS = "refs/made";

/**
 * Writes a commit with the tree of another one, some paths of it changed, without a work tree, by one git command. Moves no ref of the user's. A path that is put where the commit has a directory replaces it, and the other way
 * round.
 */
export async function commitEdits(
	vault: Vault,
	{ of, edits, parents, message, at, by = IDENTITY }: EditedCommit,
): Promise<{ readonly commit: string; readonly tree: string }> {
	// The command writes to a ref, and gives the ids of what it wrote when it is asked.
	const ref = `${MADE_REFS}/${randomId(12)}`;
	const tree = of === null ? null : await treeOf(vault, of);
	const who = `${by.name.replaceAll(/[<>\n]/g, "")} <${by.email.replaceAll(/[<>\n]/g, "")}>`;
	const [parent, ...others] = parents;
	const stdin = Buffer.concat([
		line("feature done"),
		line(`commit ${ref}`),
		line("mark :1"),
		line(`author ${who} ${Math.floor(at / 1_000)} +0000`),
		line(`committer ${who} ${Math.floor(at / 1_000)} +0000`),
		data(message),
		...(parent === undefined ? [] : [line(`from ${parent}`)]),
		...others.map((other) => line(`merge ${other}`)),
		...(parent === of ? [] : [line("deleteall")]),
		...(parent === of || tree === null ? [] : [line(`M 040000 ${tree} ""`)]),
		// Removed first, so that what is put in the place of a folder stays.
		...edits.filter(({ kind }) => kind === "remove").map(editBytes),
		...edits.filter(({ kind }) => kind !== "remove").map(editBytes),
		line('\nget-mark :1\nls :1 ""\ndone'),
	]);
	try {
		const [commit = "", made = ""] = await runGit(vaultPlace(vault), {
			args: [...inPassing(vault), "fast-import", "--quiet"],
			stdin,
			mayLock: true,
			parse: ({ stdout }) => stdout.toString("latin1").split("\n"),
		});
		const [, , written = ""] = made.split(/[ \t]/);
		if (parent !== undefined) keepCommit(vault, { parent, commit, tree: written, changes: null });
		if (of !== null) {
			const edited = new Map(edits.map((edit) => [edit.path, fileOf(vault, edit)]));
			await keepFiles(vault, commit, { of, edited });
		}
		return { commit, tree: written };
	} finally {
		const left = readdirSync(vault.gitDir).filter((name) => name.startsWith("fast_import_crash_"));
		for (const name of [ref, ...left]) rmSync(join(vault.gitDir, name), { force: true });
	}
}

/** A file as an edit leaves it; null where it is gone. */
function fileOf({ repository }: Vault, edit: TreeEdit): TreeFile | null {
	if (edit.kind === "remove") return null;
	const { path } = edit;
	if (edit.kind === "put") return { path, mode: edit.mode, oid: edit.oid };
	const bytes = Buffer.from(edit.text);
	const hash = createHash(repository.objectFormat).update(`blob ${bytes.length}\0`).update(bytes);
	return { path, mode: edit.mode === PROGRAM ? PROGRAM : "100644", oid: hash.digest("hex") };
}

const line = (text: string): Buffer => Buffer.from(`${text}\n`);

function data(text: string): Buffer {
	const bytes = Buffer.from(text);
	return Buffer.concat([line(`data ${bytes.length}`), bytes, line("")]);
}

function editBytes(edit: TreeEdit): Buffer {
	const path = quotedPath(edit.path);
	switch (edit.kind) {
		case "put":
			return line(`M ${edit.mode} ${edit.oid} ${path}`);
		case "write": {
			const mode = edit.mode === PROGRAM ? PROGRAM : "100644";
			return Buffer.concat([line(`M ${mode} inline ${path}`), data(edit.text)]);
		}
		case "remove":
			return line(`D ${path}`);
	}
}

// As git reads a path in quotes: a byte as three octal digits.
function quotedPath(path: string): string {
	const bytes = [...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
	return `"${bytes.join("")}"`;
}

/** Writes a text as a blob, and gives its id. */
export function writeText(vault: Vault, text: string): Promise<string> {
	return runGit(vaultPlace(vault), {
		args: ["hash-object", "-w", "--stdin"],
		stdin: text,
		parse: lineOf,
	});
}
