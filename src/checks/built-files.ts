import { posix } from "node:path";
import { isCode } from "../wall/reading/test-places.ts";

const stemOf = (path: string): string => posix.basename(path).replace(/\..*$/, "");

/**
 * Ignored code that a project builds from its own: each file has the name of a tracked one. A copy of it would be tested in
 * place of the work.
 *
 * @example `dist/calc.js` beside the tracked `src/calc.ts`; not `config.local.js` beside `src/calc.ts`
 */
export function builtFiles(ignored: readonly string[], tracked: Iterable<string>): string[] {
	const stems = new Set([...tracked].filter(isCode).map(stemOf));
	return ignored.filter((path) => isCode(path) && stems.has(stemOf(path)));
}
