import { realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import type { FileRules } from "./runtime-messages.ts";

/** Whether a path is a place or lies in it. Both absolute and normalised. */
export function isIn(path: string, place: string): boolean {
	return path === place || path.startsWith(join(place, sep));
}

/** Where paths really lead, without those that do not exist or are not absolute: mounts are made on real paths only. */
export function realPlaces(paths: readonly string[]): string[] {
	const real = paths.filter(isAbsolute).flatMap((path) => {
		try {
			return [realpathSync(path)];
		} catch {
			// Missing, or in a place that we may not look into: then there is nothing to be opened or closed.
			return [];
		}
	});
	return [...new Set(real)];
}

/** What a sandbox is told about files, as its users spell it. */
export interface FileWishes {
	readonly writable: readonly string[];
	/** Default none. */
	readonly readable?: readonly string[];
	readonly never: readonly string[];
	readonly hidden: readonly string[];
}

/**
 * The rules of one call. A place that is never writable wins over a writable one, above it and below it. A hidden
 * place is shown to a call that may write or read in it: it is that agent's own store.
 */
export function fileRules({ writable, readable = [], never, hidden }: FileWishes): FileRules {
	const readOnly = realPlaces(never);
	const open = realPlaces(writable).filter((path) => !readOnly.some((place) => isIn(path, place)));
	const shown = [...open, ...realPlaces(readable)];
	const closed = realPlaces(hidden).filter((place) => !shown.some((path) => isIn(path, place)));
	return { writable: open, readOnly, hidden: closed };
}
