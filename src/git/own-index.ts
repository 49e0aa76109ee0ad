import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import type { GitPlace } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

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
