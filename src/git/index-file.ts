import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from "node:fs";

/** Fields of an index entry before its name, for SHA-1, and where they are (gitformat-index(5)). */
const ENTRY_BYTES = 62;
const [CTIME_AT, MTIME_AT, INO_AT, MODE_AT, UID_AT, GID_AT, SIZE_AT, OID_AT, FLAGS_AT] = [
	0, 8, 20, 24, 28, 32, 36, 40, 60,
];
const HASH_BYTES = 20;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;
const GITLINK = 0o160000;
const LINK = 0o120000;
const PROGRAM = 0o100755;
const FILE = 0o100644;
const OWNER_RUNS = 0o100n;
const NS = 1_000_000_000n;

/** Extensions by which an index does not name all files itself: split, and sparse. */
const PARTIAL = ["link", "sdir"];

/** The largest file that is read where its times do not tell, in bytes; larger ones are left to git. */
const MOST_READ = 1_000_000n;

/** A file that an index names. */
export interface IndexEntry {
	/** Bytes in Latin-1. */
	readonly name: string;
	/** Where the entry stands in the index. */
	readonly at: number;
}

/** An index of version 2 or 3 with SHA-1 ids, without submodules. */
export interface IndexFile {
	readonly bytes: Buffer;
	readonly entries: readonly IndexEntry[];
	/** The tree of all entries, where the index says which one; else null. */
	readonly tree: string | null;
}

/**
 * @param most entries
 * @returns null for another format, for an index with more entries, with submodules, or that does not name all files
 * itself
 * @throws system errors, and a `RangeError` for a file that ends early
 */
export function readIndex(path: string, most: number): IndexFile | null {
	const bytes = readFileSync(path);
	const version = bytes.readUInt32BE(4);
	const count = bytes.readUInt32BE(8);
	if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 3) return null;
	if (count > most) return null;
	const entries: IndexEntry[] = [];
	let at = 12;
	for (let nth = 0; nth < count; nth += 1) {
		const flags = bytes.readUInt16BE(at + FLAGS_AT);
		const start = at + ENTRY_BYTES + ((flags & EXTENDED) === 0 ? 0 : 2);
		const end = bytes.indexOf(0, start);
		const length = flags & NAME_LENGTH;
		if (length !== Math.min(end - start, NAME_LENGTH)) return null;
		if (bytes.readUInt32BE(at + MODE_AT) === GITLINK) return null;
		entries.push({ name: bytes.toString("latin1", start, end), at });
		// Up to eight NULs, so that an entry has a multiple of eight bytes.
		at += Math.floor((end - at) / 8) * 8 + 8;
	}
	const extensions = extensionsOf(bytes, at);
	if (PARTIAL.some((name) => extensions.has(name))) return null;
	return { bytes, entries, tree: rootTree(extensions.get("TREE")) };
}

function extensionsOf(bytes: Buffer, from: number): ReadonlyMap<string, Buffer> {
	const found = new Map<string, Buffer>();
	for (let at = from; at + 8 <= bytes.length - HASH_BYTES; ) {
		const end = at + 8 + bytes.readUInt32BE(at + 4);
		found.set(bytes.toString("latin1", at, at + 4), bytes.subarray(at + 8, end));
		at = end;
	}
	return found;
}

/** The first entry of the cached trees is the root: an empty path, how many entries it has (-1: unknown), and its id. */
function rootTree(cached: Buffer | undefined): string | null {
	const line = cached?.indexOf("\n") ?? -1;
	if (cached === undefined || line === -1) return null;
	if (!/^\0\d+ \d+$/.test(cached.toString("latin1", 0, line))) return null;
	return cached.toString("hex", line + 1, line + 1 + HASH_BYTES);
}

/**
 * Whether a file is for certain as it was when the index was written, by git's own measure: its kind, times, owner, number and
 * size are those that the index has of it. Where the file is as young as the index, its content tells.
 *
 * @param path of the file, as bytes; no directory above it is a link
 * @param indexed when the index was written, in ns
 */
export function isAsIndexed(
	{ bytes }: IndexFile,
	{ at }: IndexEntry,
	path: Buffer,
	indexed: bigint,
): boolean {
	const file = lstatSync(path, { bigint: true, throwIfNoEntry: false });
	const plain = (bytes.readUInt16BE(at + FLAGS_AT) & ~NAME_LENGTH) === 0;
	if (file === undefined || !plain || !isKind(file, bytes.readUInt32BE(at + MODE_AT))) return false;
	const time = (where: number): bigint =>
		BigInt(bytes.readUInt32BE(at + where)) * NS + BigInt(bytes.readUInt32BE(at + where + 4));
	const isSame = (where: number, value: bigint): boolean =>
		BigInt(bytes.readUInt32BE(at + where)) === BigInt.asUintN(32, value);
	const unchanged =
		time(CTIME_AT) === file.ctimeNs &&
		time(MTIME_AT) === file.mtimeNs &&
		isSame(INO_AT, file.ino) &&
		isSame(UID_AT, file.uid) &&
		isSame(GID_AT, file.gid) &&
		isSame(SIZE_AT, file.size);
	if (!unchanged) return false;
	// A change after the index was written would have left the same times.
	if (file.mtimeNs < indexed && file.ctimeNs < indexed) return true;
	const oid = bytes.toString("hex", at + OID_AT, at + OID_AT + HASH_BYTES);
	return file.size <= MOST_READ && blobId(file, path) === oid;
}

function isKind(file: BigIntStats, mode: number): boolean {
	if (mode === LINK) return file.isSymbolicLink();
	if (!file.isFile() || (mode !== FILE && mode !== PROGRAM)) return false;
	return ((file.mode & OWNER_RUNS) !== 0n) === (mode === PROGRAM);
}

/** The id that git gives to the content, where nothing converts it. */
function blobId(file: BigIntStats, path: Buffer): string {
	const content = file.isSymbolicLink()
		? readlinkSync(path, { encoding: "buffer" })
		: readFileSync(path);
	return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
