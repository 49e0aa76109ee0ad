import { lineAt, type ModuleParser, nodesOf, type PlacedNode } from "../../syntax/module-syntax.ts";
import type { MutatedPlace } from "../report-figures.ts";
import { isIdle } from "./idle-places.ts";
import { type Edit, editsOf } from "./operators.ts";
import { spread } from "./spread.ts";

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

/** Larger files are written by programs. */
const MAX_TEXT = 500_000;

/**
 * Mutants of the changed lines of JavaScript and TypeScript: each has one operator, value or statement replaced, all lines
 * of which changed. Where there are more than the limit, they are spread over the change evenly.
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
	return spread(found, limit).flatMap(({ file, edit }) => {
		const { path, text } = file;
		const mutated = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
		if (parse(mutated, path) === null) return [];
		return [
			{
				file: path,
				line: lineAt(text, edit.start),
				operator: edit.operator,
				old: text.slice(edit.shown.start, edit.shown.end),
				fresh: mutated.slice(edit.shown.start, edit.shown.end + mutated.length - text.length),
				text: mutated,
			},
		];
	});
}

/** The edits of a file that lie within changed lines, in the order of the text. */
function changedEdits({ path, text, lines }: ChangedModule, parse: ModuleParser): Edit[] {
	if (text.length > MAX_TEXT || text.includes("\uFFFD")) return [];
	const tree = parse(text, path);
	if (tree === null) return [];
	const stretches = stretchesOf(text, lines);
	const isChanged = ({ start, end }: Edit): boolean =>
		stretches.some((stretch) => stretch.start <= start && end <= stretch.end);
	const edits = new Map<string, Edit>();
	for (const placed of nodesOf(tree)) {
		if (!touches(placed, stretches) || isIdle(placed, text)) continue;
		for (const edit of editsOf(placed, text)) {
			const key = `${edit.start} ${edit.end} ${edit.text}`;
			if (isChanged(edit) && !edits.has(key)) edits.set(key, edit);
		}
	}
	return [...edits.values()].sort((a, b) => a.start - b.start);
}

/** A stretch of a text, by offsets; `end` is behind it. */
interface Stretch {
	readonly start: number;
	readonly end: number;
}

function touches({ node }: PlacedNode, stretches: readonly Stretch[]): boolean {
	return stretches.some(({ start, end }) => node.start < end && start < node.end);
}

/** Runs of consecutive lines as stretches of the text. */
function stretchesOf(text: string, lines: readonly number[]): Stretch[] {
	const starts = [0];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
	const stretches: { start: number; end: number }[] = [];
	for (const line of lines) {
		const start = starts[line - 1];
		if (start === undefined) continue;
		const end = starts[line] ?? text.length;
		const last = stretches.at(-1);
		if (last?.end === start) last.end = end;
		else stretches.push({ start, end });
	}
	return stretches;
}
