export interface AddedLine {
	readonly number: number;
	/** Without the white space around it; a byte order mark at the start of a file is no part of it. */
	readonly text: string;
}

/**
 * The lines of `head` beyond those of `base`, whatever their order and indentation: a line that moved is not added.
 *
 * @example of base `"a\nb"` and head `"b\n  a\na"` only the third line
 */
export function addedLines(base: string, head: string): AddedLine[] {
	const left = new Map<string, number>();
	for (const line of linesOf(base)) left.set(line, (left.get(line) ?? 0) + 1);
	return linesOf(head).flatMap((text, index) => {
		const known = left.get(text) ?? 0;
		left.set(text, known - 1);
		return known > 0 || text === "" ? [] : [{ number: index + 1, text }];
	});
}

// Not `trim`, which takes characters that nobody sees as well.
const linesOf = (text: string): string[] =>
	text
		.replace(/^\ufeff/, "")
		.split(/\r?\n/)
		.map((line) => line.replaceAll(/^[ \t]+|[ \t]+$/g, ""));

/** Width of the white space before a line, in UTF-16 units. */
export const depthOf = (line: string): number => line.length - line.trimStart().length;

/** Tells whether a text has a letter or a digit. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
