import picomatch from "picomatch";
import type { FileChange } from "../../git/changes.ts";

/**
 * Whether a path matches one of the globs, dot files included.
 *
 * A glob that names a directory (`test`, `test/`, `./test`) stands for all that is in it. Line
 * breaks in a name match like any other character, so that no name evades a glob.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
	const patterns = globs.flatMap((glob) => {
		const bare = glob.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
		return [bare, `${bare}/**`];
	});
	if (patterns.length === 0) return () => false;
	const matches = picomatch(patterns, { dot: true });
	return (path) => matches(path.replaceAll(/[\n\r\u2028\u2029]/g, "_"));
}

/** A path for people: control characters escaped, quoted when it has any or spaces. */
export function shown(path: string): string {
	return /[\s"\\]|\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

/** One sentence for a file that may not be touched: what it is, what happened, how to mend it. */
export function whole({ path, kind }: FileChange, what: string): string {
	const was = kind === "type-changed" ? "replaced" : kind;
	const mend = kind === "added" ? "remove it" : "restore it";
	return `${shown(path)}: ${what} was ${was}; ${mend}`;
}
