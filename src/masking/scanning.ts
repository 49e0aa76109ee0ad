export interface SecretSpot {
	readonly start: number;
	readonly end: number;
	readonly rule: string;
	/** Source of its mark: the same for every way in which the secret is written. */
	readonly value: string;
}

export const CONTEXT_RULE = "secret";

/** Tools to read a text forward from one place, up to a limit. Nothing here searches, so that no text can make it hang. */

/** A pattern that matches at one place only. Each of its parts is bounded. */
export const at = (pattern: string): RegExp => new RegExp(pattern, "y");

export function endOf(pattern: RegExp, text: string, index: number): number {
	pattern.lastIndex = index;
	return pattern.test(text) ? pattern.lastIndex : index;
}

export function startOfRun(characters: string, text: string, to: number, most: number): number {
	const isIn = classOf(characters);
	const least = Math.max(to - most, 0);
	let index = to;
	while (index > least && isIn.test(text.charAt(index - 1))) index -= 1;
	return index;
}

const classes = new Map<string, RegExp>();

function classOf(characters: string): RegExp {
	const known = classes.get(characters) ?? new RegExp(`[${characters}]`);
	classes.set(characters, known);
	return known;
}

const ESCAPE = "(?:\\u001b|\\\\{1,4}(?:u001[bB]|x1[bB]|033|e))";

/** Up to four orders to a terminal, such as a colour. */
export const COLOURS: string = `(?:${ESCAPE}\\[[\\d;]{0,16}[A-Za-z]){0,4}`;

export const GAP: string = `[ \\t]{0,8}${COLOURS}[ \\t]{0,8}`;

/** Blanks and line ends, also as JSON writes them. */
export const SPACE = "(?:\\s|\\\\{1,4}[nrt]){0,80}";

/** A quote, also behind backslashes and in XML. */
export const QUOTE = "(?:\\\\{0,4}[\"'`]|&(?:quot|apos|#34|#39|#x22|#x27);|\\\\{1,4}u002[27])";
