import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { below } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";

/** Larger work trees are left to git: this look stops all other work, for some 5 ms here. */
const MOST_FILES = 1_000;

/** Fields of an index entry before its name, for SHA-1, and where the mode and the flags are among them (gitformat-index(5)). */
const ENTRY_BYTES = 62;
const MODE_AT = 24;
const FLAGS_AT = 60;
const HASH_BYTES = 20;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;
const GITLINK = 0o160000;

/** Extensions by which an index does not name all files itself: split, and sparse. */
const PARTIAL = ["link", "sdir"];

/** What an index names: files, and the directories above them, both as bytes in Latin-1. */
interface Tracked {
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
		const tracked = trackedIn(readFileSync(indexFile));
		return tracked !== null && isAllTracked(workTree, "", tracked);
	} catch {
		return false;
	}
}

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

/** What an index of version 2 or 3 names; null for any other, and for what this reader does not expect. */
function trackedIn(index: Buffer): Tracked | null {
	const version = index.readUInt32BE(4);
	const count = index.readUInt32BE(8);
	if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 3) return null;
	if (count > MOST_FILES) return null;
	const files = new Set<string>();
	const directories = new Set<string>();
	let at = 12;
	for (let entry = 0; entry < count; entry += 1) {
		const flags = index.readUInt16BE(at + FLAGS_AT);
		const start = at + ENTRY_BYTES + ((flags & EXTENDED) === 0 ? 0 : 2);
		const end = index.indexOf(0, start);
		const length = flags & NAME_LENGTH;
		if (length !== Math.min(end - start, NAME_LENGTH)) return null;
		if (index.readUInt32BE(at + MODE_AT) === GITLINK) return null;
		const name = index.toString("latin1", start, end);
		files.add(name);
		for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
			directories.add(name.slice(0, slash + 1));
		}
		// Up to eight NULs, so that an entry has a multiple of eight bytes.
		at += Math.floor((end - at) / 8) * 8 + 8;
	}
	return isPartial(index, at) ? null : { files, directories };
}

/** Whether one of the extensions, which are from `at` on, makes the index partial. */
function isPartial(index: Buffer, at: number): boolean {
	for (
		let next = at;
		next + 8 <= index.length - HASH_BYTES;
		next += 8 + index.readUInt32BE(next + 4)
	) {
		if (PARTIAL.includes(index.toString("latin1", next, next + 4))) return true;
	}
	return false;
}
