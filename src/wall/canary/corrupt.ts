import { isCode } from "../reading/test-places.ts";

/** A file of the tests in which one expected value is wrong, so that a check that runs it must fail. */
export interface Corrupted {
	readonly path: string;
	/** From 1. */
	readonly line: number;
	readonly text: string;
}

const COMPARES =
	/\b(?:assert\w*|expect\w*|equal\w*|same|check\w*|should|refuses?|throws?(?=\()|rejects?|is|eq|ne|test|diff)\b|===|!==|==|!=|\[ .* = |-eq\b|-ne\b/i;

const ROW = /^[^\p{L}\p{N}]*(?:["'`][^"'`]*["'`]|-?\d[\d.]*)[^\p{L}\p{N}]+(?:["'`]|-?\d)/u;

const SKIPPED =
	/^\s*(?:import|from|export\s+\{|use|using|package|#|\/\/|\*|\/\*|@)|\brequire\s*\(|^\s*$/;

const LITERALS = /"([^"\\\n]+)"|'([^'\\\n]+)'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;

/** A value that differs from the last one of a line; undefined for a line without one. */
function corruptedLine(line: string): string | undefined {
	// A text that something is added to is a name or a message.
	const last = [...line.matchAll(LITERALS)]
		.filter(({ index, 0: whole }) => !/^\s*\+/.test(line.slice(index + whole.length)))
		.at(-1);
	if (last === undefined) return undefined;
	const [whole] = last;
	const quote = /^["']/.exec(whole)?.[0];
	const other = quote === undefined ? String(Number(whole) + 1) : `${whole.slice(0, -1)}~${quote}`;
	return line.slice(0, last.index) + other + line.slice(last.index + whole.length);
}

/** Lines of a text file that hold data: the last letter or digit becomes another one. */
function corruptedData(line: string): string | undefined {
	const at = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(line)?.index;
	// A broken word of JSON or YAML keeps the whole file from being read.
	if (at === undefined || line.startsWith("#") || /\b(?:true|false|null)\W*$/.test(line))
		return undefined;
	return `${line.slice(0, at)}${line[at] === "7" ? "8" : "7"}${line.slice(at + 1)}`;
}

/**
 * The places at which a wrong value can be put into the tests: comparisons and tables in code, and lines of data.
 *
 * @param texts of files on the tests' side
 * @param mayBeData whether data may be changed; what only a command reads may be no expected value
 */
export function corruptions(texts: ReadonlyMap<string, string>, mayBeData: boolean): Corrupted[] {
	return [...texts]
		.filter(([path, text]) => isCode(path) || (mayBeData && !isList(path, text)))
		.flatMap(([path, text]) => places(path, text, isCode(path) ? corruptedCode : corruptedData))
		.slice(0, MAX);
}

/** Files with all of their wrong values at once. */
export function allCorrupted(
	places: readonly Corrupted[],
	texts: ReadonlyMap<string, string>,
): Pick<Corrupted, "path" | "text">[] {
	const files = new Map<string, string[]>();
	for (const { path, line, text } of places) {
		const lines = files.get(path) ?? texts.get(path)?.split("\n") ?? [];
		lines[line - 1] = text.split("\n")[line - 1] ?? "";
		files.set(path, lines);
	}
	return [...files].map(([path, lines]) => ({ path, text: lines.join("\n") }));
}

const MAX = 500;

/** Tells whether a file is a list of names, such as those of suites: a wrong one keeps tests from running at all. */
function isList(path: string, text: string): boolean {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const isNames =
		lines.length > 1 && lines.every((line) => /^[\w./-]*[A-Za-z][\w./-]*$/.test(line.trim()));
	return isNames || /\.(?:list|lst|mk)$|(?:^|\/)(?:GNUm|M|m)akefile$/.test(path);
}

const OPERATOR = /[!=]==?|\[ .* = |-eq\b|-ne\b/;

const TELLS = /\b(?:console|print\w*|echo|throw|raise|exit\w*|log|import|read\w*|open|URL)\b/;

function corruptedCode(line: string): string | undefined {
	if (SKIPPED.test(line)) return undefined;
	const tells = TELLS.exec(line)?.index;
	if (tells === undefined)
		return COMPARES.test(line) || ROW.test(line) ? corruptedLine(line) : undefined;
	// What it compares before it tells: `if (mean([1, 3]) !== 2) process.exit(1);`
	const compared = corruptedLine(line.slice(0, tells));
	const isCompared = compared !== undefined && OPERATOR.test(line.slice(0, tells));
	return isCompared ? compared + line.slice(tells) : undefined;
}

function places(
	path: string,
	text: string,
	corrupted: (line: string) => string | undefined,
): Corrupted[] {
	const lines = text.split("\n");
	return lines.slice(0, MAX).flatMap((line, index) => {
		const other = corrupted(line);
		if (other === undefined) return [];
		return [{ path, line: index + 1, text: lines.with(index, other).join("\n") }];
	});
}
