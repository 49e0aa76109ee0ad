import { constants, renameSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { bytesOfText } from "../kernel/byte-text.ts";
import { kindOf, removeTree } from "./file-tree.ts";
import {
	type GitDirectory,
	renewGitDirectory,
	type Standing,
	standingOf,
	writeNewGitDirectory,
} from "./git-directory.ts";
import { shallowFile, type Vault } from "./vault.ts";

interface Written {
	readonly commit: string;
	readonly written: Standing | null;
	readonly fetched: boolean;
}

/**
 * Writes the repository that an agent or check sees, over whatever is there, unless that is what was written before.
 */
export async function writeRepository(
	vault: Vault,
	{ dir, indexFile }: { readonly dir: string; readonly indexFile: string },
	{ commit, written, fetched }: Written,
): Promise<Standing> {
	const directory: GitDirectory = {
		path: join(dir, ".git"),
		bare: false,
		objectFormat: vault.repository.objectFormat,
		alternates: vault.repository.objectsDir,
		stores: vault.stores,
		shallow: shallowFile(vault.repository, vault.stores),
		head: commit,
		shared: null,
		attributes: "",
		excludes: bytesOfText(vault.ignoreRules),
		refs: vault.refs,
	};
	if (!renewGitDirectory(directory, written)) {
		const modules = join(directory.path, "modules");
		const aside = asideOf(`${indexFile}.modules`);
		const keeps = fetched && kindOf(directory.path) === "directory";
		if (keeps) renameSync(modules, aside);
		await removeTree(directory.path);
		writeNewGitDirectory(directory);
		if (keeps) renameSync(aside, modules);
	}
	await copyFile(indexFile, join(directory.path, "index"), constants.COPYFILE_FICLONE);
	return standingOf(directory);
}
