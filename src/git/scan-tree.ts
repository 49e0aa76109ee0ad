import { lstatSync, readdirSync } from "node:fs";
import { below } from "./parsing.ts";

export interface Scanned {
	readonly path: Buffer;
	readonly kind: "file" | "directory" | "link" | "special";
	/** Of a file whose size was asked for, in bytes; 0 of anything else. */
	readonly size: number;
}

/** Above this many entries `find` is faster, and this process would stand still for more than a few ms. */
const MOST_ENTRIES = 3_000;

const GIT = Buffer.from(".git");
const SLASH = Buffer.from("/");

export type IsMeasured = (path: Buffer) => boolean;

/**
 * Everything in a small checkout except its `.git`, read without another process. Opens no file and follows no link.
 *
 * @param longest maximum bytes of a path
 * @returns null where `find` has to look: too many entries, a path above `longest`, or something that cannot be read
 */
export function scanTree(
	root: string,
	longest: number,
	isMeasured: IsMeasured = () => true,
	most: number = MOST_ENTRIES,
): readonly Scanned[] | null {
	const found: Scanned[] = [];
	try {
		// A folder that is found is looked into later.
		for (const folder of foldersOf(found)) {
			for (const one of entriesIn(root, folder, isMeasured)) {
				if (found.length >= most || one.path.length > longest) return null;
				found.push(one);
			}
		}
	} catch {
		return null;
	}
	return found;
}

/** The checkout, then each folder of a list that grows meanwhile. */
function* foldersOf(found: readonly Scanned[]): Generator<Buffer | null> {
	yield null;
	for (const { kind, path } of found) if (kind === "directory") yield path;
}

function entriesIn(root: string, folder: Buffer | null, isMeasured: IsMeasured): Scanned[] {
	const at = folder === null ? Buffer.from(root) : below(root, folder);
	return readdirSync(at, { withFileTypes: true, encoding: "buffer" })
		.filter(({ name }) => folder !== null || !name.equals(GIT))
		.map((entry) => {
			const path = folder === null ? entry.name : Buffer.concat([folder, SLASH, entry.name]);
			return scanned(root, path, { entry, isMeasured });
		});
}

interface Kind {
	isFile(): boolean;
	isDirectory(): boolean;
	isSymbolicLink(): boolean;
}

function scanned(
	root: string,
	path: Buffer,
	{ entry, isMeasured }: { readonly entry: Kind; readonly isMeasured: IsMeasured },
): Scanned {
	if (entry.isDirectory()) return { path, kind: "directory", size: 0 };
	if (entry.isSymbolicLink()) return { path, kind: "link", size: 0 };
	if (!entry.isFile()) return { path, kind: "special", size: 0 };
	return { path, kind: "file", size: isMeasured(path) ? lstatSync(below(root, path)).size : 0 };
}
