import picomatch from "picomatch";
import type { FileChange } from "../git/file-change.ts";
import { bareGlob } from "../workflow/glob.ts";

/**
 * Tells whether a path matches one of the globs, dot files included. A glob that names a directory matches everything
 * in it. Line breaks match like any other character, so that no name evades a glob.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
	const patterns = globs.flatMap((glob) => {
		const bare = bareGlob(glob);
		return [bare, `${bare}/**`];
	});
	if (patterns.length === 0) return () => false;
	const matches = picomatch(patterns, { dot: true });
	return (path) => matches(path.replaceAll(/[\n\r\u2028\u2029]/g, "_"));
}

/** A path for display: quoted and escaped if it contains control characters or spaces. */
export function shown(path: string): string {
	return /[\s"\\]|\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

/** One sentence for a file that must not change: what it is, what happened and the fix. */
export function whole({ path, kind }: FileChange, what: string): string {
	const was = kind === "type-changed" ? "replaced" : kind;
	const fix = kind === "added" ? "remove it" : "restore it";
	return `${shown(path)}: ${what} was ${was}; ${fix}`;
}

/** Directories whose files only look like configuration. */
export const SAMPLES: RegExp = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|node_modules)\//;
