const SILENT =
	/^(?:\/\/|\/\*|\*|#(?!\[)|--\s)|^(?:import|from|use|using|package)\b|^(?:const|let|var)\b[^=]*=\s*require\(/;

const TITLE =
	/^((?:test|it|describe|suite|context)(?:\.\w+)*\s*\(\s*)(?:"[^"]*"|'[^']*'|`[^`$]*`)(?=\s*,)|^((?:async\s+)?def\s+test_|class\s+(?=Test|\w*Tests?\b))\w+/;

/** A line of which only the words count, so that a formatter changes nothing. Empty for comments and imports. */
function wordsOf(line: string): string {
	const bare = line.trim();
	return SILENT.test(bare) ? "" : bare.replace(TITLE, "$1$2").replaceAll(/[\s"'`;,]+/g, "");
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

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
	const kept = countsOf([...after.map(({ words }) => words), ...elsewhere.flatMap(wordsIn)]);
	const had = countsOf(before.map(({ words }) => words));
	return { gone: leftOf(before, kept), fresh: leftOf(after, had) };
}

/**
 * Lines of a test, a hook or a helper whose statements stand in another order, or in Python at another depth, although none
 * is gone: they may notice less. Tests that moved as a whole are none, and neither is what a formatter does.
 *
 * @param elsewhere texts of other files that the change touched
 */
export function reordered(
	path: string,
	base: string,
	head: string,
	elsewhere: readonly string[],
): Line[] {
	if (!path.endsWith(".py") && runOn(base) === runOn(head)) return [];
	const keys = new Set([head, ...elsewhere].flatMap((text) => blocksOf(path, text)).map(keyOf));
	return blocksOf(path, base)
		.filter((block) => !keys.has(keyOf(block)))
		.flat()
		.map(({ number, text }) => ({ number, text }));
}

interface DeepLine extends WordLine {
	readonly depth: number;
}

const BEGINS =
	/^(?:before|after)(?:Each|All)?\b|^(?:async\s+)?(?:def|class|function)\b|^@|^(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\()/;

/** The parts of a file, each from the line that begins a test, a hook or a helper to the next one. */
function blocksOf(path: string, text: string): DeepLine[][] {
	const isDeep = path.endsWith(".py");
	const blocks: DeepLine[][] = [[]];
	for (const line of statementsOf(text, isDeep)) {
		const isTop = line.depth === 0 || TITLE.test(line.text) || BEGINS.test(line.text);
		if (isTop) blocks.push([]);
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
		if (isWithin && last !== undefined) found.splice(-1, 1, { ...last, words: last.words + words });
		else if (hasWords(words))
			found.push({ number: index + 1, text: line.trim(), words, depth: line.search(/\S/) });
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

function leftOf(lines: readonly WordLine[], counts: Map<string, number>): Line[] {
	return lines.flatMap(({ number, text, words }) => {
		const left = counts.get(words) ?? 0;
		counts.set(words, left - 1);
		return left > 0 ? [] : [{ number, text }];
	});
}
