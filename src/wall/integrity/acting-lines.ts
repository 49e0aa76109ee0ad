import { boundBy } from "../language/bound-names.ts";
import { depthOf, hasWords } from "../reading/added-lines.ts";
import { withoutComments } from "../reading/strip-comments.ts";
import { isLoadedByName, isReadWell, isShell } from "../reading/test-places.ts";
import type { Line } from "./vanished.ts";

export interface TextPair {
	readonly path: string;
	readonly base: string;
	readonly head: string;
}

/**
 * Added lines in a file of the tests that may act on what was there: all but new tests, names that nothing of the base uses,
 * further assertions, what a test does at its end, and further entries of lists. Of a language that is not read so, none.
 *
 * @param added texts of lines that the base does not have
 */
export function actingLines(added: ReadonlySet<string>, { path, base, head }: TextPair): Line[] {
	if (!isReadWell(path)) return [];
	const [isTyped, isSettings] = [TYPES.test(path), isLoadedByName(path)];
	const code = linesOf(withoutComments(head, path));
	const before = withoutComments(base, path);
	const isNew = additionsTo(linesOf(before), code);
	const raw = linesOf(head);
	const bound = new Set(code.flatMap(wordsBoundIn));
	const used = new Set(before.replaceAll(SENTENCE, "").match(/[\w$]+/g));
	const isOfShell = isShell(path);
	return raw.flatMap((line, at) => {
		const text = line.trim();
		if (!isNew[at] || !added.has(text) || !hasWords(code[at] ?? "")) return [];
		const place: Place = { at, code, isNew, used, bound, isOfShell, isSettings, isTyped };
		return isGood(place) ? [] : [{ number: at + 1, text }];
	});
}

/** A text of several words, which names nothing. */
const SENTENCE = /(["'`])(?=[^"'`\n]* )[^"'`\n]*\1/g;

interface Place {
	readonly at: number;
	readonly code: readonly string[];
	readonly isNew: readonly boolean[];
	/** Words of the base. */
	readonly used: ReadonlySet<string>;
	/** Names that the file declares or takes. */
	readonly bound: ReadonlySet<string>;
	readonly isOfShell: boolean;
	/** True where each entry is a setting. */
	readonly isSettings: boolean;
	/** True where only a type checker reads the file, so that statements act on no others. */
	readonly isTyped: boolean;
}

const TYPES = /\.(?:test|spec)-d\.[cm]?tsx?$/;

const CASE =
	/^(?:await\s+)?(?:\w{0,3}t\.)?(?:(?:test|it|describe|suite|context|specify)\b(?:\.\w+)*\s*[(`]|(?:async\s+)?def\s+test|class\s+(?:Test|\w*Tests?\b))/;
const TEST =
	/^(?:await\s+)?(?:\w{0,3}t\.)?(?:(?:test|it|specify)\b(?:\.\w+)*\s*[(`]|(?:async\s+)?def\s+test)/;
const ASSERTS =
	/^(?:await\s+)?(?:assert\b(?!\s*=)|expect\s*\(|(?:self|t|this)\s*\.\s*assert\w*\s*\(|t\s*\.\s*(?:ok|true|false|truthy|falsy|is|not|(?:(?:not|deep|loose|strict|same)\w{0,20})?[eE]quals?|(?:does)?[nN]otMatch|match|same|like|(?:does)?(?:not|Not)?[tT]hrows?)\s*\((?!.*(?:\bassign\b|[^=!<>]=[^=>]|\.(?:set|clear|push|delete)\()))/;
const ERASED = /^(?:export\s+)?(?:interface|type)\s+\w/;
const SPECIAL = /^(?:__\w+|pytest\w*|load_tests|set_?up\w*|tear_?down\w*)$/i;
const GOES_ON = /^(?:[)\]}.?:&|+*/,]|(?:else|elif|except|catch|finally|or|and|yield)\b)/;
const EXPECTS_ERROR = /^(?:async\s+)?(?:with|try)\b|(?:=>\s*|\bfunction\b[^{]*)\{$/;
const LOOP = /^(?:for|while)\b/;

function isGood(place: Place): boolean {
	const { at, code, isNew } = place;
	const text = (code[at] ?? "").trim();
	if (setsFreeName(text, place.bound)) return false;
	const above = ancestorsOf(at, code);
	return above.some((one) => isNew[one]) || isGoodHead(place, text, above[0]);
}

/** Tells whether a line that stands among those of the base begins what acts on none of them. */
function isGoodHead(place: Place, text: string, above: number | undefined): boolean {
	const parent = (place.code[above ?? -1] ?? "").trim();
	if (text.startsWith("@")) return isDecorator(place);
	if (CASE.test(text) || ERASED.test(text)) return true;
	if (ASSERTS.test(text)) return TEST.test(parent) || !EXPECTS_ERROR.test(parent);
	if (LOOP.test(text)) return isBlockOfCases(place);
	const isOpen = !CLASS.test(parent) && !(place.isOfShell && text.includes("()"));
	const names = isOpen ? namesBoundBy(text) : [];
	if (names.length > 0) return !names.some((name) => place.used.has(name) || SPECIAL.test(name));
	return place.isTyped || isEntry(place) || (TEST.test(parent) && isAtEnd(place, above ?? 0));
}

const CLASS = /^(?:export\s+)?(?:abstract\s+)?class\b/;

const SETS =
	/(?<![\w$.\])])([A-Za-z_$][\w$]*)(?:\s*\.\s*[\w$]+|\[[^\]]*\])*\s*\.\s*[\w$]+\s*(?:[-+*/|&%]|\*\*|\|\||&&|\?\?)?=(?![=>])/g;

/** Objects of the own class, module or page, and variables that programs are given. */
const OWN = /^(?:this|self|cls|module|exports|document|process|os)$/;

/** Tells whether a line sets a part of what the file neither declares nor takes as a parameter, which other tests share. */
function setsFreeName(text: string, bound: ReadonlySet<string>): boolean {
	return [...text.matchAll(SETS)].some(([, name = ""]) => !OWN.test(name) && !bound.has(name));
}

/** Words that a line declares or takes as parameters. */
function wordsBoundIn(line: string): readonly string[] {
	const bare = line.trim();
	const declared = /\b(?:const|let|var)\b([^=]*)/.exec(bare)?.[1] ?? "";
	const isHead = /\b(?:function|class|def|as|for|import|with|lambda)\b|=>|\)\s*\{$/.test(bare);
	const taken = isHead ? bare : /^[\w$,\s]+(?::[^=]+)?=(?!=)/.exec(bare)?.[0];
	return [declared, taken ?? ""].flatMap((part) => part.match(WORD) ?? []);
}

/** Words of which no part is taken. */
const WORD = /(?<![\w$.])[\w$]+(?![\w$]|\s*\.)/g;

const SEVERAL = /^((?:[\w$]+\s*,\s*\*?)+[\w$]+)\s*=(?![=>])/;

function namesBoundBy(text: string): readonly string[] {
	return [...boundBy(text), ...(SEVERAL.exec(text)?.[1]?.match(/[\w$]+/g) ?? [])];
}

/** Number of lines above that are looked at. */
const FARTHEST = 2_000;

/** Lines that open the blocks in which a line stands, nearest first. */
function ancestorsOf(at: number, code: readonly string[]): number[] {
	const found: number[] = [];
	const own = code[at] ?? "";
	// What closes a statement belongs to it.
	let depth = depthOf(own) + (/^\s*[)\]}]/.test(own) ? 1 : 0);
	for (let line = at - 1; line >= Math.max(0, at - FARTHEST) && depth > 0; line -= 1) {
		const text = code[line] ?? "";
		if (text.trim() === "" || depthOf(text) >= depth) continue;
		found.push(line);
		depth = depthOf(text) + (/^\s*[)\]}]/.test(text) ? 1 : 0);
	}
	return found;
}

/** Tells whether a decorator stands over something new. */
function isDecorator({ at, code, isNew }: Place): boolean {
	const depth = depthOf(code[at] ?? "");
	const under = code.findIndex(
		(line, next) =>
			next > at && line.trim() !== "" && depthOf(line) === depth && !/^\s*[@)\]}]/.test(line),
	);
	return under >= 0 && isNew[under] === true;
}

function isBlockOfCases(place: Place): boolean {
	const block = blockOf(place.at, place.code);
	return (
		block.every((line) => place.isNew[line]) &&
		block.some((line) => CASE.test((place.code[line] ?? "").trim()))
	);
}

function isAtEnd({ at, code, isNew }: Place, test: number): boolean {
	if (GOES_ON.test((code[at] ?? "").trim())) return false;
	return blockOf(test, code).every((line) => line <= at || isNew[line]);
}

/** Lines with words below a line that opens a block. */
function blockOf(opens: number, code: readonly string[]): number[] {
	const depth = depthOf(code[opens] ?? "");
	const found: number[] = [];
	for (let at = opens + 1; at < code.length; at += 1) {
		const line = code[at] ?? "";
		if (line.trim() === "") continue;
		if (depthOf(line) <= depth && !/^\s*[)\]}]/.test(line)) break;
		if (hasWords(line)) found.push(at);
	}
	return found;
}

/** The line that opens a table, and not the arguments of a call. */
const TABLE = /(?:=|\w["']?:)\s*\{$/;

/** Tells whether a line is a further value of a list, or has a key that the base does not know. */
function isEntry({ at, code, used, isSettings }: Place): boolean {
	const filled = (line: number): string => (code[line] ?? "").trim();
	let before = at - 1;
	while (before >= 0 && filled(before) === "") before -= 1;
	let after = at + 1;
	while (after < code.length && filled(after) === "") after += 1;
	const text = filled(at);
	const isBetween =
		/[[{,]$/.test(filled(before)) && (/,$/.test(text) || /^[\]}]/.test(filled(after)));
	const above = ancestorsOf(at, code);
	if (!isBetween || isSettings) return false;
	const key = /^["']?([\w$]+)["']?\s*:/.exec(text)?.[1];
	if (key !== undefined) return !used.has(key) && above.every((one) => TABLE.test(filled(one)));
	return /^["'`\d[({-]/.test(text) && above[0] !== undefined && filled(above[0]).endsWith("[");
}

/** Tells of each line of the second text whether the first lacks it, by the longest common sequence of lines. */
export function additionsTo(base: readonly string[], head: readonly string[]): boolean[] {
	const [from, to] = [base.map(keyOf), head.map(keyOf)];
	let end = 0;
	while (end < from.length && end < to.length && from.at(-1 - end) === to.at(-1 - end)) end += 1;
	let begin = 0;
	const most = Math.min(from.length, to.length) - end;
	while (begin < most && from[begin] === to[begin]) begin += 1;
	const [old, fresh] = [from.slice(begin, from.length - end), to.slice(begin, to.length - end)];
	const kept = old.length * fresh.length > MOST_PAIRS ? [] : commonOf(old, fresh);
	const isKept = new Set(kept.map((at) => at + begin));
	const start = old.length > 0 ? begin : blockStart(head, to, begin, fresh.length);
	return head.map(
		(_, at) => at >= start && at < head.length - end + start - begin && !isKept.has(at),
	);
}

/**
 * First of the lines that were only added. The same lines may be taken to begin further down when what follows repeats them,
 * and a whole block begins at a line that is indented least and closes nothing.
 */
function blockStart(
	head: readonly string[],
	keys: readonly string[],
	begin: number,
	count: number,
): number {
	let [best, bestDepth] = [begin, Number.POSITIVE_INFINITY];
	for (let at = begin; count > 0 && at + count <= head.length; at += 1) {
		const line = head[at] ?? "";
		const isStart = line.trim() !== "" && !GOES_ON.test(line.trim());
		const depth = isStart ? depthOf(line) : bestDepth;
		if (depth < bestDepth) [best, bestDepth] = [at, depth];
		if (keys[at] !== keys[at + count]) break;
	}
	return best;
}

const MOST_PAIRS = 4_000_000;

/** Places in the second list of a longest common sequence. */
function commonOf(old: readonly string[], fresh: readonly string[]): number[] {
	const width = fresh.length + 1;
	const longest = new Uint32Array((old.length + 1) * width);
	const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
	for (let row = old.length - 1; row >= 0; row -= 1)
		for (let column = fresh.length - 1; column >= 0; column -= 1)
			longest[row * width + column] =
				old[row] === fresh[column]
					? at(row + 1, column + 1) + 1
					: Math.max(at(row + 1, column), at(row, column + 1));
	const found: number[] = [];
	for (let row = 0, column = 0; row < old.length && column < fresh.length; ) {
		if (old[row] === fresh[column] && at(row, column) === at(row + 1, column + 1) + 1) {
			found.push(column);
			row += 1;
			column += 1;
		} else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
		else column += 1;
	}
	return found;
}

const keyOf = (line: string): string => line.replaceAll(/[\s"'`;,]+/g, "");

const linesOf = (text: string): string[] => text.split(/\r?\n/);
