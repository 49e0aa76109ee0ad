import { depthOf } from "../reading/added-lines.ts";
import { declared } from "./declarations.ts";

const CLOSES = /^[)\]}]+[;,)]*$|^end\b/;
const OPENS = /^[({[]+$/;
const BESIDE = /^(?:\/\/|\/\*|\*|#|--|@|\[|")/;
/** A function that Go calls around all tests. */
const AROUND = /\bTestMain\b/;
const SIGNS = /[([{]|[)\]}]/g;

/**
 * Tells whether all that a change does to a file of tests, in any language, is to add tests: no line is gone, and each added
 * piece stands between whole blocks of the same depth and consists of whole tests, with comments and annotations.
 *
 * @param path its extension determines the language
 * @example a further `func TestB(t *testing.T) { ... }` behind that of `TestA` is; a `return` in it is not
 */
export function isAdditive(path: string, base: string, head: string): boolean {
	const [old, now] = [linesOf(base), linesOf(head)];
	const pieces: Piece[] = [];
	let at = 0;
	for (const [index, line] of now.entries()) {
		if (line === old[at]) at += 1;
		else if (pieces.at(-1)?.end === index) (pieces.at(-1) as Piece).end = index + 1;
		else pieces.push({ start: index, end: index + 1 });
	}
	return at === old.length && pieces.every((piece) => isOfTests(path, now, piece));
}

interface Piece {
	readonly start: number;
	end: number;
}

/** Imports of a file; in Go a list has one name a line. */
const IMPORTS = /^(?:import|from|use|using|package|require\w*|#include|include)\b|^"[\w./-]+"$/;

const linesOf = (text: string): string[] =>
	text.split(/\r?\n/).filter((line) => line.trim() !== "" && !IMPORTS.test(line.trim()));

function isOfTests(path: string, lines: readonly string[], { start, end }: Piece): boolean {
	const piece = lines.slice(start, end);
	const [first = "", before] = [piece[0], lines[start - 1]];
	const depth = depthOf(first);
	const isHead = (line: string): boolean => !CLOSES.test(line) && !OPENS.test(line);
	const heads = piece.filter((line) => depthOf(line) === depth && isHead(line.trim()));
	const others = new Set([...lines.slice(0, start), ...lines.slice(end)].map(wordsOf));
	return (
		isWhole(piece, depth) &&
		(before === undefined || (depthOf(before) === depth && CLOSES.test(before.trim()))) &&
		declare(path, heads) &&
		// One of the same name takes the place of the other in some languages.
		!heads.some((line) => !BESIDE.test(line.trim()) && others.has(wordsOf(line)))
	);
}

const wordsOf = (line: string): string => (line.match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ");

/** Tells whether each of these lines declares a test, by itself or by what annotates it. */
function declare(path: string, heads: readonly string[]): boolean {
	let isAnnotated = false;
	let tests = 0;
	for (const line of heads) {
		const isDeclared = !AROUND.test(line) && declared(line, path) > 0;
		if (BESIDE.test(line.trim())) isAnnotated ||= isDeclared;
		else if (isDeclared || isAnnotated) {
			tests += 1;
			isAnnotated = false;
		} else return false;
	}
	return tests > 0;
}

/** Each bracket is closed in it, and none of another piece. */
function isWhole(piece: readonly string[], depth: number): boolean {
	if (piece.some((line) => depthOf(line) < depth)) return false;
	let open = 0;
	for (const [sign] of piece.join("\n").matchAll(SIGNS)) {
		open += "([{".includes(sign) ? 1 : -1;
		if (open < 0) return false;
	}
	return open === 0;
}
