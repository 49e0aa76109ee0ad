import type { MutatedPlace } from "../evidence/report-figures.ts";
import { spread } from "../formats/mutation/spread.ts";
import { linesIn, type ModuleParser, nodesOf } from "../syntax/module-syntax.ts";
import { isIdle } from "./idle-places.ts";
import { type Edit, editsOf } from "./operators.ts";

/** A changed file of the product. */
export interface ChangedModule {
	readonly path: string;
	readonly text: string;
	/** The lines that differ from the start commit, from 1, ascending. */
	readonly lines: readonly number[];
}

/** A file of the product with one thing wrong. */
export interface CodeMutant extends MutatedPlace {
	/** The whole file. */
	readonly text: string;
}

/** In characters. Larger files are written by programs, and each mutant is parsed. */
const MAX_TEXT = 200_000;

/**
 * Mutants of the changed lines of JavaScript and TypeScript: each has one operator, value or statement replaced, all lines
 * of which changed. Where there are more than the limit, they are spread over the change evenly, emptied texts last.
 *
 * A file that cannot be parsed has none. Every mutant can be parsed. The same change gives the same mutants.
 *
 * @param limit most mutants, 1 or more
 * @example `if (x < lo) return lo;` gives `x <= lo`, `!(x < lo)` and `return undefined;`
 */
export function moduleMutants(
	files: readonly ChangedModule[],
	parse: ModuleParser,
	limit: number,
): CodeMutant[] {
	const found = files.flatMap((file) => changedEdits(file, parse).map((edit) => ({ file, edit })));
	return chosen(found, limit).flatMap(({ file, edit }) => {
		const { path, text } = file;
		const mutated = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
		if (parse(mutated, path) === null) return [];
		return [
			{
				file: path,
				line: linesIn(text)(edit.start),
				operator: edit.operator,
				old: text.slice(edit.shown.start, edit.shown.end),
				fresh: mutated.slice(edit.shown.start, edit.shown.end + mutated.length - text.length),
				text: mutated,
			},
		];
	});
}

/** At most so many, spread over all; texts, which are often words for people, only where there is room for them. */
function chosen<T extends { readonly edit: Edit }>(all: readonly T[], limit: number): T[] {
	const isWord = ({ edit }: T): boolean => edit.operator === "string";
	const telling = spread(
		all.filter((one) => !isWord(one)),
		limit,
	);
	const kept = new Set([...telling, ...spread(all.filter(isWord), limit - telling.length)]);
	return all.filter((one) => kept.has(one));
}

/** The edits of a file that lie within changed lines, in the order of the text. */
function changedEdits({ path, text, lines }: ChangedModule, parse: ModuleParser): Edit[] {
	if (text.length > MAX_TEXT || text.includes("\uFFFD")) return [];
	const tree = parse(text, path);
	if (tree === null) return [];
	const changed = changedIn(text, lines);
	const edits = new Map<string, Edit>();
	for (const placed of nodesOf(tree)) {
		if (changed(placed.node) === "none" || isIdle(placed, text)) continue;
		for (const edit of editsOf(placed, text)) {
			const key = `${edit.start} ${edit.end} ${edit.text}`;
			if (changed(edit) === "all" && !edits.has(key)) edits.set(key, edit);
		}
	}
	return [...edits.values()].sort((a, b) => a.start - b.start);
}

/** Tells how many of the lines of a stretch of the text changed. Files have thousands of lines, and more nodes. */
function changedIn(
	text: string,
	lines: readonly number[],
): (stretch: { readonly start: number; readonly end: number }) => "all" | "some" | "none" {
	const wanted = new Set(lines);
	const starts: number[] = [];
	/** How many lines changed up to each line. */
	const counts = [0];
	for (let at = 0; at !== -1; at = text.indexOf("\n", at) + 1 || -1) {
		starts.push(at);
		counts.push((counts.at(-1) ?? 0) + (wanted.has(starts.length) ? 1 : 0));
	}
	return ({ start, end }) => {
		const [first, last] = [lineIndex(starts, start), lineIndex(starts, Math.max(start, end - 1))];
		const count = (counts[last + 1] ?? 0) - (counts[first] ?? 0);
		if (count === 0) return "none";
		return count === last - first + 1 ? "all" : "some";
	};
}

/** The last of the starts that is not behind an offset. */
function lineIndex(starts: readonly number[], offset: number): number {
	let [low, high] = [0, starts.length - 1];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((starts[middle] ?? 0) <= offset) low = middle;
		else high = middle - 1;
	}
	return low;
}
