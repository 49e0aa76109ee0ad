import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";

type Wrap = typeof import("wrap-ansi")["default"];

let loaded: Wrap | null = null;

// Loaded with the first line that needs it: it compiles a pattern of all emoji, which takes longer than Node.js takes
// to start. Synchronous, since a printed line has to keep its place.
function wrapAnsi(): Wrap {
	// The package's only export; the type is its own.
	loaded ??= (createRequire(import.meta.url)("wrap-ansi") as typeof import("wrap-ansi")).default;
	return loaded;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

// `"日本"` takes four columns.
export function fits(line: string, columns: number): boolean {
	if (line === "" || columns <= 0) return line === "";
	const shown = stripVTControlCharacters(line);
	if (PRINTABLE_ASCII.test(shown)) return shown.length <= columns;
	// Untrimmed: the margin of a line takes columns too.
	return !wrapAnsi()(line, columns, { hard: true, trim: false }).includes("\n");
}

// `hard` breaks words that are longer than a line too; with `wordWrap: false` at every end of a line.
export function wrapLine(
	line: string,
	columns: number,
	options: { readonly hard?: boolean; readonly wordWrap?: boolean; readonly trim?: boolean } = {},
): string {
	return wrapAnsi()(line, columns, options);
}
