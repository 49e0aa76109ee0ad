import { dirname, normalize } from "node:path/posix";

/**
 * The paths that a text may name, relative to the root: each word as seen from there, and from the folder of its file.
 *
 * @param roots absolute directories that stand for the root
 * @param file that the text is of, relative to the root; left out for what a program printed
 * @example of `test/a.test.js` the text `read("../.env")` gives `.env` among others
 */
export function namedPaths(text: string, roots: readonly string[], file?: string): string[] {
	const bare = roots.reduce((all, root) => all.replaceAll(`${root}/`, ""), text);
	return bare.split(/[\s"'`()<>,;=[\]{}|]+/).flatMap((word) => {
		const path = word.replace(/^file:\/*/, "").replace(/(?::\d+)*[.:!?]*$/, "");
		if (path === "" || path.startsWith("/")) return [];
		return [
			normalize(path),
			...(file === undefined ? [] : [normalize(`${dirname(file)}/${path}`)]),
		];
	});
}
