import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeStaleLocks } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { removeUnfinishedObjects } from "../git/unfinished-objects.ts";
import { vaultDirectory } from "../git/vault.ts";
import { MADE_REFS } from "../git/write-tree.ts";
import { removeUnfinished } from "../kernel/aside.ts";
import { knownCheckouts, type Places } from "../places/places.ts";
import { ownPrefixes } from "../places/task-refs.ts";
import { removeLeftTemporaries } from "../setups/own-temporary.ts";
import { writtenFolders } from "./run-files.ts";

/**
 * Removes the locks that a killed git left on a run's refs. Only for who holds the run, after the run's processes have ended.
 */
export async function removeLeftLocks(repository: Repository, runId: string): Promise<void> {
	for (const prefix of ownPrefixes(runId)) await removeStaleLocks(repository, prefix);
}

export async function removeLeftFiles(
	places: Places,
	repository: Repository,
	runId: string,
): Promise<void> {
	await removeUnfinishedObjects(repository);
	const checkouts = knownCheckouts(places);
	if (checkouts !== null) {
		await removeLeftTemporaries(join(checkouts, runId));
		const made = join(vaultDirectory(join(checkouts, runId)), MADE_REFS);
		for (const name of await readdir(made).catch(() => [])) await rm(join(made, name));
	}
	await removeUnfinished(
		[
			{ directory: places.stateDir },
			...writtenFolders(runId).map((name) => ({
				directory: join(places.stateDir, name),
				below: true,
			})),
			...(checkouts === null
				? []
				: [
						{ directory: checkouts },
						{ directory: vaultDirectory(join(checkouts, runId)), below: true, folders: true },
					]),
		],
		isRunning,
	);
}

/** Tells whether there is a process of that number; one that we may not signal is there. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return !(error instanceof Error && "code" in error && error.code === "ESRCH");
	}
}
