import { realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import type { FileRules } from "./runtime-messages.ts";

/** Whether a path equals a directory or is in it. Both are absolute and normalised. */
export function isIn(path: string, place: string): boolean {
	return path === place || path.startsWith(join(place, sep));
}

/** The real paths, without missing and relative ones. Mounts need real paths. */
export function realPlaces(paths: readonly string[]): string[] {
	const real = paths.filter(isAbsolute).flatMap((path) => {
		try {
			return [realpathSync(path)];
		} catch {
			// Missing or not accessible, so there is nothing to allow or forbid.
			return [];
		}
	});
	return [...new Set(real)];
}

/** The paths of a request, before they are resolved. */
export interface FileWishes {
	readonly writable: readonly string[];
	/** Default none. */
	readonly readable?: readonly string[];
	readonly never: readonly string[];
	readonly hidden: readonly string[];
}

/**
 * The rules of one call. A path that is never writable overrides writable paths above and below it. A hidden path is
 * visible to a call that may read or write there, since it is that agent's own store.
 */
export function fileRules({ writable, readable = [], never, hidden }: FileWishes): FileRules {
	const readOnly = realPlaces(never);
	const open = realPlaces(writable).filter((path) => !readOnly.some((place) => isIn(path, place)));
	const shown = [...open, ...realPlaces(readable)];
	const closed = realPlaces(hidden).filter((place) => !shown.some((path) => isIn(path, place)));
	return { writable: open, readOnly, hidden: closed };
}
