import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OwnPaths } from "./own-paths.ts";

/** Grows with every change of what an entry holds or how it is read. */
export const ENTRY_FORMAT = 5;

const FILE = "entry.json";

export interface KeptResult extends OwnPaths {
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
}

export type KeptEntry =
	| KeptResult
	| { readonly kind: "refused"; readonly directory: string; readonly madeAt: number };

/** Files of an entry: those of the checkout are below `checkout`, those of the home below `home`. */
export const filesOf = ({ directory }: { readonly directory: string }): string =>
	join(directory, "files");

export async function writeEntry({ directory, ...stored }: KeptEntry): Promise<void> {
	const text = JSON.stringify({ format: ENTRY_FORMAT, ...stored });
	await writeFile(join(directory, FILE), text, { mode: 0o400 });
}

/** @returns null where no entry of this format is whole */
export async function readEntry(directory: string): Promise<KeptEntry | null> {
	try {
		const text = await readFile(join(directory, FILE), "utf8");
		// Written by `writeEntry`, if it is of this format.
		const { format, ...stored } = JSON.parse(text) as KeptEntry & { readonly format: number };
		const paths = stored.kind === "kept" ? [...stored.paths, ...stored.texts] : [];
		return format === ENTRY_FORMAT && paths.every(isInside) ? { ...stored, directory } : null;
	} catch {
		return null;
	}
}

// Paths of an entry are removed before they are copied.
const isInside = (path: string): boolean =>
	!/^\.git(?:\/|$)/.test(path) && path.split("/").every((part) => !/^\.{0,2}$/.test(part));
