import { readdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomId } from "../../kernel/ids.ts";
import { type KeptEntry, readEntry } from "./entry-file.ts";

/** Longest use of an entry, in ms: 14 days. Without a lock file, a result grows old. */
export const KEPT_MS = 14 * 86_400_000;

const IS_ID = /^[0-9a-f]{64}$/;
const IS_OURS = /^(?:\.making-.*|\.old-.*|[0-9a-f]{64})$/;

/** Sum of the entries of a shelf, as they say themselves. */
export async function shelfSize(shelf: string): Promise<{
	/** Results that can be copied. */
	readonly results: number;
	readonly bytes: number;
}> {
	const entries = await entriesOn(shelf);
	const kept = entries.filter((entry) => entry.kind === "kept");
	return { results: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Size of a shelf after pruning: 5 GiB. */
export const SHELF_BYTES = 5 * 1_073_741_824;

// Well above the limit of a setup.
const UNFINISHED_MS = 3_600_000;

interface ShelfLimits {
	readonly now: number;
	/** 0 removes all. */
	readonly bytes: number;
}

/**
 * Removes entries that are {@link doomedOn}, and what killed processes left unfinished, or what is not readable as an
 * entry.
 *
 * @returns entries that were removed
 */
export async function pruneShelf(
	shelf: string,
	limits: ShelfLimits,
	remove: (directory: string) => Promise<void>,
): Promise<number> {
	let removed = 0;
	for (const directory of await doomedOn(shelf, limits)) {
		const old = await takeDown(directory);
		if (old === null) continue;
		await remove(old);
		removed += 1;
	}
	const entries = new Set((await entriesOn(shelf)).map(({ directory }) => directory));
	for (const name of await namesOn(shelf, IS_OURS)) {
		const left = join(shelf, name);
		const found = entries.has(left) ? null : await stat(left).catch(() => null);
		if (found !== null && limits.now - found.mtimeMs > UNFINISHED_MS) await remove(left);
	}
	return removed;
}

/** Entries that are too old, and the oldest of the rest until those that stay take no more than the limit. */
export async function doomedOn(shelf: string, { now, bytes }: ShelfLimits): Promise<string[]> {
	let total = 0;
	const inOrder = (await entriesOn(shelf)).toSorted((a, b) => b.madeAt - a.madeAt);
	const doomed = inOrder.filter((entry) => {
		total += entry.kind === "kept" ? entry.bytes : 0;
		return now - entry.madeAt > KEPT_MS || total > bytes || bytes === 0;
	});
	return doomed.map(({ directory }) => directory);
}

/**
 * Takes an entry out of use in one step.
 *
 * @returns where its files are now, to be removed; null when there is none, as after another process was faster
 */
export async function takeDown(directory: string): Promise<string | null> {
	const old = join(dirname(directory), `.old-${randomId(12)}`);
	try {
		await rename(directory, old);
		return old;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
		throw error;
	}
}

async function entriesOn(shelf: string): Promise<KeptEntry[]> {
	const names = await namesOn(shelf, IS_ID);
	const entries = await Promise.all(names.map((name) => readEntry(join(shelf, name))));
	return entries.filter((entry) => entry !== null);
}

async function namesOn(shelf: string, are: RegExp): Promise<string[]> {
	return (await readdir(shelf).catch(() => [])).filter((name) => are.test(name));
}
