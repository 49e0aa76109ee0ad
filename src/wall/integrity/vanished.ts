import { hasWords } from "../reading/added-lines.ts";
import { isReadWell, isShell } from "../reading/test-places.ts";
import { isAdditive } from "./additive.ts";

const SILENT =
	/^(?:\/\/|\/\*|\*|#(?!\[)|--\s)|^(?:(?:import|from|using|package)\b|use\s)|^(?:const|let|var)\b[^=]*=\s*require\(/;

const TITLE =
	/^((?:test|it|describe|suite|context)(?:\.\w+)*\s*\(\s*)(?:"[^"]*"|'[^']*'|`[^`$]*`)(?=\s*,)|^((?:async\s+)?def\s+test_|class\s+(?=Test|\w*Tests?\b))\w+/;

/** An import over several lines, of plain names. */
const IMPORT =
	/^from[ \t]+[\w.]+[ \t]+import[ \t]*\([\w\s,]*\)[ \t]*$|^import\s+(?:type\s+)?\{[\w\s,$]*\}\s*from\s*["'][^"'\n]*["'];?[ \t]*$/gm;

/** A member that a linter writes once, as the same name of a value. */
const SHORTHAND = /(?<=[{,][^\S\n]*)([A-Za-z_$][\w$]*):[^\S\n]*\1(?=[^\S\n]*[,}])/g;

/**
 * A text of code, line by line, as it would be without what a linter writes in another way: imports over several lines, which
 * stand at its top, and in JavaScript members with the name of their value.
 */
export function plainly(path: string, text: string): string {
	const isScript = /\.[cm]?[jt]sx?$/.test(path);
	if (!isScript && !path.endsWith(".py")) return text;
	let end = 0;
	const top = text.replaceAll(IMPORT, (all, at: number) => {
		const isTop = text
			.slice(end, at)
			.split("\n")
			.every((line) => /^(?:import\b|from\b|["']use |\/\/|#|$)/.test(line.trim()));
		if (!isTop || /\bas\b/.test(all)) return all;
		end = at + all.length;
		return !all.includes("\n") ? all : all.replaceAll(/[^\n]/g, "");
	});
	if (!isScript) return top;
	const isOpen = (before: string, quote: string): boolean => before.split(quote).length % 2 === 0;
	return top.replaceAll(SHORTHAND, (all, name: string, at: number) => {
		const start = top.lastIndexOf("\n", at) + 1;
		const line = top.slice(start).split("\n", 1)[0] ?? "";
		const isInText = ['"', "'"].some((quote) => isOpen(top.slice(start, at), quote));
		return isInText || isOpen(top.slice(0, at), "`") || line.includes("/") ? all : name;
	});
}

/** A line of which only the words count, so that a formatter changes nothing. Empty for comments and imports. */
function wordsOf(line: string): string {
	const bare = line.trim();
	return SILENT.test(bare) ? "" : bare.replace(TITLE, "$1$2").replaceAll(/[\s"'`;,]+/g, "");
}

export interface Line {
	readonly number: number;
	readonly text: string;
}

export interface Rewritten {
	readonly gone: readonly Line[];
	readonly fresh: readonly Line[];
}

/**
 * Compares the lines of a file, without regard to spaces, quotes, comments, imports and the order of lines.
 *
 * @param elsewhere texts of other files that the change touched: a line that moved there is not gone
 */
export function rewritten(base: string, head: string, elsewhere: readonly string[]): Rewritten {
	// A formatter breaks lines in other places.
	if (runOn(base) === runOn(head)) return { gone: [], fresh: [] };
	const [before, after] = [linesOf(base), linesOf(head)];
	return {
		gone: leftOf(before, after, elsewhere.flatMap(wordsIn)),
		fresh: leftOf(after, before, []),
	};
}

/**
 * Lines of a test, a hook or a helper with other signs or spaces between their words, or whose statements stand in another
 * order, or in Python at another depth, although none is gone: they may notice less. Tests that moved as a whole or that grew
 * are none, and neither is what a formatter does.
 *
 * @param elsewhere texts of other files that the change touched
 */
export function reordered(
	path: string,
	was: string,
	now: string,
	elsewhere: readonly string[],
): Line[] {
	const [base = "", head = ""] = [was, now].map((text) => plainly(path, text));
	if (!isReadWell(path) && isAdditive(path, base, head)) return [];
	const parted = partedOtherwise(path, base, head, elsewhere);
	if (parted.length > 0) return parted;
	if (!path.endsWith(".py") && runOn(base) === runOn(head)) return [];
	const [own = [], ...others] = [base, head, ...elsewhere].map((text) =>
		statementsOf(text, path.endsWith(".py")),
	);
	const isScript = !own.some(begins);
	const blocks = others.flatMap((lines) => blocksOf(lines, isScript));
	const keys = new Set(blocks.map(keyOf));
	const hasGrown = (block: readonly DeepLine[]): boolean =>
		isReadWell(path) && blocks.some((other) => isWithin(block, other));
	return blocksOf(own, isScript)
		.filter((block) => !keys.has(keyOf(block)) && !hasGrown(block))
		.flat()
		.map(({ number, text }) => ({ number, text }));
}

/** Lines of the base whose words stay, and what parts them does not: a comma, spaces in a text or between words of a shell. */
function partedOtherwise(
	path: string,
	base: string,
	head: string,
	elsewhere: readonly string[],
): Line[] {
	const space = isShell(path) ? " " : "";
	const [before, after] = [partsOf(base, space), partsOf(head, space)];
	const runs = [before, after].map((lines) => lines.map(({ part }) => part).join(space));
	const [old, fresh] = runs.map((run) => run.replaceAll(/,(?=[)\]}])/g, ""));
	if (old === fresh) return [];
	const left = new Map<string, boolean[]>();
	const all = [...after, ...elsewhere.flatMap((text) => partsOf(text, space))];
	for (const [at, { part }] of all.entries()) {
		const isParted = part.endsWith(",") || /^[)\]}]/.test(all[at + 1]?.part ?? ")");
		const key = withoutLast(part);
		left.set(key, [...(left.get(key) ?? []), isParted]);
	}
	return before.flatMap(({ part, number, text }) => {
		const isParted = left.get(withoutLast(part))?.shift();
		const isSame = isParted === true || (isParted === false && !part.endsWith(","));
		return isSame || !hasWords(part) ? [] : [{ number, text }];
	});
}

const withoutLast = (part: string): string => part.replace(/,$/, "");

/** Lines without quotes, and without spaces outside of texts. */
function partsOf(text: string, space: string): (Line & { readonly part: string })[] {
	return text.split(/\r?\n/).flatMap((line, index) => {
		const bare = line.trim();
		if (bare === "" || SILENT.test(bare)) return [];
		const part = bare
			.replace(TITLE, "$1$2")
			.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\s+|[;`"']/g, (found) =>
				/^\s/.test(found) ? space : found.replaceAll(/^["'`;]|["'`;]$/g, ""),
			);
		return [{ number: index + 1, text: bare, part }];
	});
}

interface DeepLine extends WordLine {
	readonly depth: number;
	/** Words of each line, where brackets hold several together. */
	readonly parts: readonly string[];
}

/** Tells whether all statements stand in another block in the same order, which may have more of them, or more lines in brackets. */
function isWithin(block: readonly DeepLine[], other: readonly DeepLine[]): boolean {
	const [first, second] = [block[0]?.depth ?? 0, other[0]?.depth ?? 0];
	const isDeep = block.some(({ words }) => words.endsWith(":"));
	const isSame = (one: DeepLine, two: DeepLine): boolean =>
		(!isDeep || one.depth - first === two.depth - second) &&
		one.parts[0] === two.parts[0] &&
		isSubsequence(one.parts, two.parts, (some, same) => some === same);
	const [head, found] = [block[0], other[0]];
	const isPart = block.length > 1 && !block.some(begins);
	return (
		head !== undefined &&
		found !== undefined &&
		(isPart || isSame(head, found)) &&
		isSubsequence(block, other, isSame)
	);
}

export function isSubsequence<T>(
	some: readonly T[],
	all: readonly T[],
	isSame: (one: T, other: T) => boolean,
): boolean {
	let at = 0;
	for (const each of all) {
		const next = some[at];
		if (next !== undefined && isSame(next, each)) at += 1;
	}
	return at === some.length;
}

const BEGINS =
	/^(?:before|after)(?:Each|All)?\b|^(?:export\s+(?:default\s+)?)?(?:async\s+)?(?:(?:def|class)\b|function\b[\s*]*[\w$])|^(?:await\s+)?(?:\w{0,3}t\.)?(?:test|it|describe|suite|context|specify)\b(?:\.\w+)*\s*[(`]|^@|^(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\()/;

const begins = ({ text }: Line): boolean => TITLE.test(text) || BEGINS.test(text);

/**
 * The parts of a file, each from the line that begins a test, a hook or a helper to the next one. A script, which has none of
 * them, is one part: each of its lines acts on the next ones.
 */
function blocksOf(lines: readonly DeepLine[], isScript: boolean): DeepLine[][] {
	const blocks: DeepLine[][] = [[]];
	for (const line of lines) {
		if (!isScript && (begins(line) || line.depth === 0)) blocks.push([]);
		blocks.at(-1)?.push(line);
	}
	return blocks.filter(({ length }) => length > 0);
}

/** Lines with words; where depth counts, those within brackets belong to the one that opens them. */
function statementsOf(text: string, isDeep: boolean): DeepLine[] {
	const found: DeepLine[] = [];
	let open = 0;
	for (const [index, line] of text.split(/\r?\n/).entries()) {
		const words = wordsOf(line);
		const last = found.at(-1);
		const isWithin = isDeep && open > 0;
		if (isDeep)
			open = Math.max(
				0,
				open + (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0),
			);
		if (isWithin && last !== undefined)
			found.splice(-1, 1, {
				...last,
				words: last.words + words,
				parts: [...last.parts, words],
			});
		else if (hasWords(words))
			found.push({
				number: index + 1,
				text: line.trim(),
				words,
				parts: [words],
				depth: line.search(/\S/),
			});
	}
	return found;
}

function keyOf(block: readonly DeepLine[]): string {
	const first = block[0]?.depth ?? 0;
	const isDeep = block.some(({ words }) => words.endsWith(":"));
	const depths = isDeep ? block.map(({ depth }) => String(depth - first)) : [];
	return [block.map(({ words }) => words).join(""), ...depths].join(" ");
}

interface WordLine extends Line {
	readonly words: string;
}

function linesOf(text: string): WordLine[] {
	return text
		.split(/\r?\n/)
		.map((line, index) => ({ number: index + 1, text: line.trim(), words: wordsOf(line) }))
		.filter(({ words }) => hasWords(words));
}

const wordsIn = (text: string): string[] => linesOf(text).map(({ words }) => words);

const runOn = (text: string): string => text.split(/\r?\n/).map(wordsOf).join("");

function countsOf(words: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

/** Lines without one of the same words among others. Of several those go together first that are the same to the letter. */
function leftOf(
	lines: readonly WordLine[],
	others: readonly WordLine[],
	elsewhere: readonly string[],
): Line[] {
	const counts = countsOf([...others.map(({ words }) => words), ...elsewhere]);
	const texts = countsOf(others.map(({ text }) => text));
	const take = (from: Map<string, number>, key: string): boolean => {
		const left = from.get(key) ?? 0;
		from.set(key, left - 1);
		return left > 0;
	};
	const changed = lines.filter(({ text, words }) => !(take(texts, text) && take(counts, words)));
	return changed
		.filter(({ words }) => !take(counts, words))
		.map(({ number, text }) => ({ number, text }));
}
