import { dirname, normalize } from "node:path/posix";

/** A text that may name paths, and the folder that its relative paths may start from. */
export interface NamingText {
	readonly text: string;
	/** The file that the text is of, relative to the root; undefined for what a program printed. */
	readonly file?: string | undefined;
}

const BREAKS = /[\s"'`()<>,;=[\]{}|]+/;

/**
 * The paths that texts may name, relative to the root: each word as it stands, from the root and from the folder of its file.
 *
 * @param roots absolute directories that stand for the root
 * @example in `test/a.test.js` the text `read("../.env")` gives `.env` among others
 */
export function namedPaths(texts: readonly NamingText[], roots: readonly string[]): Set<string> {
	const found = new Set<string>();
	for (const { text, file } of texts) {
		const relative = roots.reduce((all, root) => all.replaceAll(`${root}/`, ""), text);
		for (const word of new Set(relative.split(BREAKS))) {
			const bare = word.replace(/^file:\/*/, "").replace(/(?::\d+)*[.:!?]*$/, "");
			if (bare === "" || bare.startsWith("/")) continue;
			found.add(normalize(bare));
			if (file !== undefined) found.add(normalize(`${dirname(file)}/${bare}`));
		}
	}
	return found;
}
