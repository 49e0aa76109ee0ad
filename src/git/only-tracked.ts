import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { type IndexFile, isAsIndexed, readIndex } from "./index-file.ts";
import { below } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";

/** Larger work trees are left to git: this look stops all other work, for some 5 ms here. */
const MOST_FILES = 1_000;

/** What an index names: files, and the directories above them, both as bytes in Latin-1. */
export interface Tracked {
	readonly files: ReadonlySet<string>;
	readonly directories: ReadonlySet<string>;
}

/**
 * Whether a work tree holds nothing but files that its index names: then there is nothing untracked, and git need not be
 * asked. Of a file only the name counts.
 *
 * False where that is not certain: something else is there, even an empty directory; the index is large, of another format,
 * or has submodules; something cannot be read.
 */
export function holdsOnlyTracked({ indexFile, workTree }: GitPlace): boolean {
	if (indexFile === undefined || workTree === undefined) return false;
	try {
		const index = readIndex(indexFile, MOST_FILES);
		return index !== null && isAllTracked(workTree, "", trackedIn(index));
	} catch {
		return false;
	}
}

/**
 * Whether the tracked files of a work tree are for certain those of a tree, as its index has them, so that git need not compare
 * them.
 *
 * False where that is not certain: a file differs in whatever the index knows of it, or stands below a link; the index is
 * of another tree, or as for `holdsOnlyTracked`.
 *
 * @param tree its id
 */
export function holdsTree({ indexFile, workTree }: GitPlace, tree: string): boolean {
	if (indexFile === undefined || workTree === undefined) return false;
	try {
		const index = readIndex(indexFile, MOST_FILES);
		if (index?.tree !== tree) return false;
		const indexed = lstatSync(indexFile, { bigint: true }).mtimeNs;
		const pathOf = (name: string): Buffer => below(workTree, Buffer.from(name, "latin1"));
		const { directories } = trackedIn(index);
		return (
			[...directories].every((name) => lstatSync(pathOf(name.slice(0, -1))).isDirectory()) &&
			index.entries.every((entry) => isAsIndexed(index, entry, pathOf(entry.name), indexed))
		);
	} catch {
		return false;
	}
}

const trackedIn = ({ entries }: IndexFile): Tracked => trackedBy(entries.map(({ name }) => name));

function isAllTracked(root: string, directory: string, tracked: Tracked): boolean {
	const path = directory === "" ? root : below(root, Buffer.from(directory, "latin1"));
	const entries: Dirent[] = readdirSync(path, { withFileTypes: true, encoding: "latin1" });
	return entries.every((entry) => {
		const name = `${directory}${entry.name}`;
		if (name === ".git") return true;
		// A link to a directory is no directory, and stands for nothing that is below it.
		if (!entry.isDirectory()) return tracked.files.has(name);
		return tracked.directories.has(`${name}/`) && isAllTracked(root, `${name}/`, tracked);
	});
}

/** What an index names, where it is small and of the usual format. */
export function trackedAt({ indexFile }: GitPlace): Tracked | null {
	try {
		const index = indexFile === undefined ? null : readIndex(indexFile, MOST_FILES);
		return index === null ? null : trackedIn(index);
	} catch {
		return null;
	}
}

/** @param names as bytes in Latin-1 */
export function trackedBy(names: Iterable<string>): Tracked {
	const files = new Set<string>();
	const directories = new Set<string>();
	for (const name of names) {
		files.add(name);
		for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
			directories.add(name.slice(0, slash + 1));
		}
	}
	return { files, directories };
}
