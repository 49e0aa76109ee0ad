import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../git/file-tree.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { fieldAt, jsonIn } from "../kernel/fields.ts";
import { ownKey, SHARED_FOLDERS, type SharedFile, topKey } from "../loop/shared-file.ts";
import { allocatedBytes } from "../places/disk-size.ts";
import { knownCheckouts, type Places } from "../places/places.ts";
import { removeLeftTemporaries } from "../setups/own-temporary.ts";

export interface RunFilesPlace {
	readonly places: Places;
	readonly blobs: Blobs;
}

/** Tells whether outputs, transcripts or checkouts of a run are still there. */
export async function hasRunFiles(
	{ places, blobs }: RunFilesPlace,
	runId: string,
): Promise<boolean> {
	if (hasFilesHere(places, runId)) return true;
	for (const key of ownFolders(runId)) if (await blobs.has(key)) return true;
	return false;
}

/** Tells whether this clone still has checkouts of a run, or files of it. */
export function hasFilesHere(places: Places, runId: string): boolean {
	const own = ownFolders(runId).map((key) => join(places.stateDir, key));
	return [...checkoutPaths(places, runId), ...own].some((path) => existsSync(path));
}

export interface PrunedFiles {
	readonly runId: string;
	readonly newest: string;
	/** Files with several links that were counted before. */
	readonly seen: Set<string>;
	/** Counts, and removes nothing. */
	readonly dryRun?: boolean | undefined;
}

/**
 * Removes the files of a run: outputs of checks, traces, transcripts, checkouts, and what stands for other tools of it.
 * Its records and refs stay.
 *
 * @returns how many bytes that frees on the disk
 */
export async function removeRunFiles(
	{ places, blobs }: RunFilesPlace,
	pruned: PrunedFiles,
): Promise<number> {
	const { seen, dryRun = false } = pruned;
	let freed = 0;
	// First those that are told by the run's own.
	for (const key of [...(await topFiles(blobs, pruned)), ...ownFolders(pruned.runId)]) {
		freed += await allocatedBytes(join(places.stateDir, key), seen);
		if (dryRun) continue;
		await blobs.remove(key);
		// The copy of this clone, where the store that machines share has the files.
		await rm(join(places.stateDir, key), { recursive: true, force: true });
	}
	for (const path of checkoutPaths(places, pruned.runId)) {
		if (!dryRun) await removeLeftTemporaries(path);
		freed += await allocatedBytes(path, seen);
		if (!dryRun) await removeTree(path);
	}
	return freed;
}

const ownFolders = (runId: string): string[] => [`runs/${runId}`, `transcripts/${runId}`];

export const writtenFolders = (runId: string): string[] => [
	...SHARED_FOLDERS,
	...ownFolders(runId),
];

function checkoutPaths(places: Places, runId: string): string[] {
	const checkouts = knownCheckouts(places);
	const link = join(places.stateDir, "worktrees", runId);
	return checkouts === null ? [link] : [link, join(checkouts, runId)];
}

type OfRun = Pick<PrunedFiles, "runId" | "newest">;

// A pair session names no run: it is this one's when it says the same as the run's own, and no newer run has one of that
// name.
async function topFiles(blobs: Blobs, { runId, newest }: OfRun): Promise<string[]> {
	const keys: string[] = [];
	for (const folder of SHARED_FOLDERS) {
		for (const { key } of await blobs.list(folder)) {
			const file = { folder, taskId: key.slice(folder.length + 1).replace(/\.json$/, "") };
			const named = runNamedIn(await blobs.read(key));
			const isOwn = named === undefined ? isSame(blobs, file, { runId, newest }) : named === runId;
			if (await isOwn) keys.push(key);
		}
	}
	return keys;
}

async function isSame(
	blobs: Blobs,
	file: Omit<SharedFile, "runId">,
	{ runId, newest }: OfRun,
): Promise<boolean> {
	if (newest !== runId && (await blobs.has(ownKey({ ...file, runId: newest })))) return false;
	const shown = await blobs.read(topKey({ ...file, runId }));
	return shown !== undefined && shown === (await blobs.read(ownKey({ ...file, runId })));
}

const runNamedIn = (text = ""): unknown => fieldAt(jsonIn(text), "run_id");
