/** Pieces of patterns for what programs write between a name and its value, and how they spell it. All are bounded. */

/** Escape, as a terminal gets it and as JSON, C, the shell and Python write it. */
const ESCAPE = "(?:\\u001b|\\\\{1,4}(?:u001[bB]|x1[bB]|033|e))";

/** An order to a terminal, such as a colour. */
const COLOUR: string = `${ESCAPE}\\[[\\d;]{0,16}[A-Za-z]`;

export const COLOURS: string = `(?:${COLOUR}){0,4}`;

/** Blanks on a line, and colours. */
export const GAP: string = `[ \\t]{0,8}${COLOURS}[ \\t]{0,8}`;

/** Blanks and line ends, also as JSON writes them. */
export const SPACE = "(?:\\s|\\\\{1,4}[nrt]){0,80}";

/** A quote, also behind backslashes and in XML. */
export const QUOTE = "(?:\\\\{0,4}[\"'`]|&(?:quot|apos|#34|#39|#x22|#x27);|\\\\{1,4}u002[27])";

/** A pattern that matches at one place only: nothing is searched for. */
export const at = (pattern: string): RegExp => new RegExp(pattern, "y");

/** The end of what a pattern of `at` matches at an index; the index when it matches nothing. */
export function endOf(pattern: RegExp, text: string, index: number): number {
	pattern.lastIndex = index;
	return pattern.test(text) ? pattern.lastIndex : index;
}
