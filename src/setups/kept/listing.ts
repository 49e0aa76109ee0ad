import type { BigIntStats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import { canonicalJson, sha256 } from "../../kernel/json.ts";
import type { NotKept } from "./not-kept.ts";

export interface KeptLimits {
	readonly files: number;
	readonly bytes: number;
}

export const KEPT_LIMITS: KeptLimits = { files: 400_000, bytes: 4 * 1_073_741_824 };

export interface Listing {
	// The time at which a file was last changed in any way cannot be set, so a file that was cut short, replaced or
	// edited shows itself.
	readonly digest: string;
	readonly bytes: number;
	readonly files: number;
	// Package managers make such links from their stores.
	readonly linkedOutside: boolean;
	readonly links: readonly { readonly path: string; readonly target: string }[];
}

interface ListedFile {
	readonly path: string;
	readonly stat: BigIntStats;
}

/** Reads a directory tree to the end. Rejects with the system's error when something in it cannot be read. */
export async function listTree(root: string, limits: KeptLimits): Promise<Listing | NotKept> {
	const found = await walk(root, limits);
	const bytes = found.reduce((sum, { stat }) => sum + Number(stat.blocks) * STAT_BLOCK, 0);
	if (found.length > limits.files || bytes > limits.bytes) return { kind: "too_large", ...limits };
	// At the top there are files of a home, in which a repository is nobody's work.
	const nested = found.find(({ path }) => path.endsWith("/.git") && !/^\/\.git(?:$|\/)/.test(path));
	if (nested !== undefined)
		return { kind: "nested_repository", path: nested.path.slice(1, -"/.git".length) };
	const links: Listing["links"][number][] = [];
	for (const { path } of found.filter(({ stat }) => stat.isSymbolicLink()))
		links.push({ path: path.slice(1), target: await readlink(join(root, path)) });
	const digest = sha256(canonicalJson({ lines: found.map(lineOf).sort(), links }));
	return { digest, bytes, files: found.length, linkedOutside: haveLinksElsewhere(found), links };
}

async function walk(root: string, limits: KeptLimits): Promise<ListedFile[]> {
	const found: ListedFile[] = [];
	const folders = [""];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const entries = await entriesOf(root, folder);
		for (const entry of entries) {
			found.push(entry);
			if (entry.stat.isDirectory()) folders.push(entry.path);
		}
		if (found.length > limits.files) break;
	}
	return found;
}

const STAT_BLOCK = 512;

async function entriesOf(root: string, folder: string): Promise<ListedFile[]> {
	const names = (await readdir(join(root, folder))).sort();
	return await Promise.all(
		names.map(async (name) => {
			const path = `${folder}/${name}`;
			return { path, stat: await lstat(join(root, path), { bigint: true }) };
		}),
	);
}

function haveLinksElsewhere(found: readonly ListedFile[]): boolean {
	const linked = found.filter(({ stat }) => stat.nlink > 1n && !stat.isDirectory());
	const byFile = Map.groupBy(linked, ({ stat }) => stat.ino);
	return [...byFile.values()].some((seen) => BigInt(seen.length) !== seen[0]?.stat.nlink);
}

function lineOf({ path, stat }: ListedFile): string {
	const { mode, size, mtimeNs, ctimeNs } = stat;
	return stat.isDirectory() ? `${path}/ ${mode}` : `${path} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}

export function leadsOut({ path, target }: Listing["links"][number]): boolean {
	return !isAbsolute(target) && normalize(join(path, "..", target)).startsWith("..");
}
