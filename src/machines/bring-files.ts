import { utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BlobEntry, type Blobs, isSoundKey } from "../kernel/blobs.ts";
import { Fault } from "../kernel/fault.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { ownFolder, SHARED_FOLDERS } from "../loop/shared-file.ts";
import { makeStateDirectory, type Places } from "../places/places.ts";
import { folderBlobs } from "../store/folder/blobs.ts";

// A file system may round a time.
const ROUNDING_MS = 2;

export interface Shown {
	readonly runId: string;
	readonly value: unknown;
}

/**
 * Copies files of a run from the store that machines share into `.sparring` of this clone, where they are missing or
 * different: those that are named, and those that stand for other tools, such as traces. A copy has the time of its original.
 * Harmless when repeated. Where the folder cannot be written nothing more is copied: what is shown does not depend on it.
 *
 * @throws Fault `store-unreachable`
 */
export async function bringFiles(blobs: Blobs, places: Places, shown: Shown): Promise<void> {
	const named = new Set(namedFiles(shown));
	const whole = new Set(
		SHARED_FOLDERS.flatMap((folder) => [folder, ownFolder(shown.runId, folder)]),
	);
	const folders = new Set([...whole, ...[...named].map((key) => dirname(key))]);
	const local = folderBlobs(places.stateDir);
	for (const folder of folders) {
		for (const entry of await blobs.list(folder)) {
			const isWanted = whole.has(folder) || named.has(entry.key);
			if (!isWanted || isCopy(await local.entry(entry.key), entry)) continue;
			const text = await blobs.read(entry.key);
			if (text !== undefined && !(await isWritten(places, entry, text))) return;
		}
	}
}

const isCopy = (found: BlobEntry | undefined, { bytes, changedMs }: BlobEntry): boolean =>
	found?.bytes === bytes && Math.abs(found.changedMs - changedMs) <= ROUNDING_MS;

async function isWritten(
	places: Places,
	{ key, changedMs }: BlobEntry,
	text: string,
): Promise<boolean> {
	const path = join(places.stateDir, key);
	try {
		await makeStateDirectory(places);
		await folderBlobs(places.stateDir).put(key, text);
		await asStateFault(path, () => utimes(path, changedMs / 1_000, changedMs / 1_000));
		return true;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return false;
	}
}

function namedFiles({ runId, value }: Shown): readonly string[] {
	if (typeof value === "string") {
		const key = value.replace(/^\.sparring\//, "");
		const isOfRun = [`runs/${runId}/`, `transcripts/${runId}/`].some((own) => key.startsWith(own));
		return isOfRun && isSoundKey(key) ? [key] : [];
	}
	if (typeof value !== "object" || value === null) return [];
	return Object.values(value).flatMap((part) => namedFiles({ runId, value: part }));
}
