import type { BigIntStats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson, sha256 } from "../../kernel/json.ts";

export interface KeptLimits {
	readonly files: number;
	readonly bytes: number;
}

export interface Listing {
	// The time at which a file was last changed in any way cannot be set, so a file that was cut short, replaced or
	// edited shows itself.
	readonly digest: string;
	readonly bytes: number;
	/** True where files have several names, as package managers give to those of their stores. */
	readonly isLinked: boolean;
	readonly links: readonly { readonly path: string; readonly target: string }[];
}

interface ListedFile {
	readonly path: string;
	readonly stat: BigIntStats;
}

const STAT_BLOCK = 512;

/**
 * Reads a directory tree to the end. Rejects with the system's error when something in it cannot be read.
 *
 * @returns null where it is larger than the limits
 */
export async function listTree(root: string, limits: KeptLimits): Promise<Listing | null> {
	const found: ListedFile[] = [];
	const folders = [""];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		// One by one: a folder may have more entries than a call takes arguments.
		for (const entry of await entriesOf(root, folder)) {
			found.push(entry);
			if (entry.stat.isDirectory()) folders.push(entry.path);
		}
		if (found.length > limits.files) return null;
	}
	const bytes = found.reduce((sum, { stat }) => sum + Number(stat.blocks) * STAT_BLOCK, 0);
	if (bytes > limits.bytes) return null;
	const links: Listing["links"][number][] = [];
	for (const { path } of found.filter(({ stat }) => stat.isSymbolicLink()))
		links.push({ path, target: await readlink(join(root, path)) });
	const isLinked = found.some(({ stat }) => stat.nlink > 1n && !stat.isDirectory());
	return { digest: sha256(canonicalJson(found.map(lineOf).sort())), bytes, isLinked, links };
}

async function entriesOf(root: string, folder: string): Promise<ListedFile[]> {
	const paths = (await readdir(join(root, folder))).map((name) => join(folder, name));
	return await Promise.all(
		paths.map(async (path) => ({ path, stat: await lstat(join(root, path), { bigint: true }) })),
	);
}

function lineOf({ path, stat }: ListedFile): string {
	const { mode, size, mtimeNs, ctimeNs } = stat;
	return stat.isDirectory() ? `${path}/ ${mode}` : `${path} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}
