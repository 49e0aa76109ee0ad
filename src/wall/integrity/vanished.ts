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
