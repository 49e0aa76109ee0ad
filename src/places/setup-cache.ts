import { existsSync } from "node:fs";
import { Fault } from "../kernel/fault.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { allocatedBytes } from "./disk-size.ts";
import { type Places, setupShelf } from "./places.ts";

export interface SetupCacheReport {
	readonly results: number;
	readonly bytes: number;
}

export async function setupCacheSize(places: Places): Promise<SetupCacheReport> {
	const shelf = setupShelf(places);
	if (shelf === null || !existsSync(shelf)) return { results: 0, bytes: 0 };
	const { shelfSize } = await import("../setups/kept/shelf.ts");
	return await shelfSize(shelf);
}

/**
 * Removes results that are too old or above the limit of the whole, and what killed processes left unfinished.
 *
 * @param all removes every result
 * @param dryRun removes none, and counts the results alone
 * @param seen files with several links that were counted before
 * @throws Fault `state-unwritable` when something there cannot be removed
 */
export async function pruneSetupCache(
	places: Places,
	{
		all,
		dryRun = false,
		seen,
	}: {
		readonly all: boolean;
		readonly dryRun?: boolean | undefined;
		readonly seen: Set<string>;
	},
): Promise<SetupCacheReport> {
	const shelf = setupShelf(places);
	if (shelf === null) return { results: 0, bytes: 0 };
	const { doomedOn, pruneShelf, SHELF_BYTES } = await import("../setups/kept/shelf.ts");
	const { removeTree } = await import("../git/file-tree.ts");
	let freed = 0;
	const limits = { now: Date.now(), bytes: all ? 0 : SHELF_BYTES };
	if (dryRun) {
		const doomed = await doomedOn(shelf, limits);
		for (const directory of doomed) freed += await allocatedBytes(directory, seen);
		return { results: doomed.length, bytes: freed };
	}
	const results = await pruneShelf(shelf, limits, async (directory) => {
		freed += await allocatedBytes(directory, seen);
		await removeTree(directory);
	}).catch((error: unknown) => {
		throw error instanceof Fault ? error : stateFault(shelf, error);
	});
	return { results, bytes: freed };
}
