import { open, readFile } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";

/** Grows with every change of what an entry holds or how it is read. */
export const ENTRY_FORMAT = 4;

const FILE = "entry.json";

/** Folder of an entry for the files of a home, where no file of a checkout can be. */
export const KEPT_HOME = ".git/home";

/** Text files that hold the place in which they were made, as the scripts of a virtual environment do. */
export interface Moves {
	/** Relative to the checkout, or below the entry's folder of the home. */
	readonly files: readonly string[];
	/** Directory of checkout and home: as it is, and with links followed. */
	readonly folders: readonly string[];
	/** Checkout and home below it. */
	readonly checkout: string;
	readonly home: string;
}

export interface KeptResult {
	readonly kind: "kept";
	readonly directory: string;
	/** Milliseconds since the epoch. */
	readonly madeAt: number;
	/** Null when it fits all trees with the same inputs. */
	readonly tree: string | null;
	/** Relative to the checkout, without a slash at the end. */
	readonly paths: readonly string[];
	readonly bytes: number;
	readonly digest: string;
	readonly moves: Moves;
}

export type KeptEntry =
	| KeptResult
	| { readonly kind: "refused"; readonly directory: string; readonly madeAt: number };

export const filesOf = ({ directory }: { readonly directory: string }): string =>
	join(directory, "files");

export async function writeEntry(entry: KeptEntry): Promise<void> {
	const { directory, ...stored } = entry;
	await using file = await open(join(directory, FILE), "wx", 0o400);
	await file.writeFile(JSON.stringify({ format: ENTRY_FORMAT, ...stored }));
	await file.sync();
}

export async function readEntry(directory: string): Promise<KeptEntry | null> {
	try {
		const value: unknown = JSON.parse(await readFile(join(directory, FILE), "utf8"));
		return decoded(directory, value);
	} catch {
		return null;
	}
}

function decoded(directory: string, value: unknown): KeptEntry | null {
	const field = (name: string): unknown => Reflect.get(Object(value), name);
	const madeAt = field("madeAt");
	if (field("format") !== ENTRY_FORMAT || typeof madeAt !== "number") return null;
	if (field("kind") === "refused") return { kind: "refused", directory, madeAt };
	const [tree, paths, bytes, digest] = ["tree", "paths", "bytes", "digest"].map(field);
	if (tree !== null && typeof tree !== "string") return null;
	if (typeof bytes !== "number" || typeof digest !== "string" || !areInside(paths)) return null;
	const moves = movesIn(field("moves"));
	if (moves === null) return null;
	return { kind: "kept", directory, madeAt, tree, paths, bytes, digest, moves };
}

function movesIn(value: unknown): Moves | null {
	const [files, folders, checkout, home] = ["files", "folders", "checkout", "home"].map(
		(name): unknown => Reflect.get(Object(value), name),
	);
	if (!isTexts(files) || !areInside(files.map(ofHomeOrCheckout)) || !isTexts(folders)) return null;
	if (typeof checkout !== "string" || typeof home !== "string") return null;
	return { files, folders, checkout, home };
}

const ofHomeOrCheckout = (path: string): string => path.replace(`${KEPT_HOME}/`, "");

const isTexts = (value: unknown): value is readonly string[] =>
	Array.isArray(value) && value.every((each) => typeof each === "string");

// Paths of an entry are removed before they are copied.
function areInside(paths: unknown): paths is readonly string[] {
	return (
		Array.isArray(paths) &&
		paths.every(
			(path) =>
				typeof path === "string" &&
				path !== "" &&
				!isAbsolute(path) &&
				path === normalize(path) &&
				!/^(?:\.{1,2}|\.git)(?:\/|$)/.test(path),
		)
	);
}
