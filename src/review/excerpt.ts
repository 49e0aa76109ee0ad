/** What a reader does not see, or sees in another order: zero-width marks, bidirectional controls, tags. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * A text with its invisible and reordering characters spelled out: they can hide code from a reader and
 * words from a person, and stripping them would hide that they are there.
 *
 * @example a right-to-left override becomes `<U+202E>`
 */
export function visible(text: string): string {
	return text.replaceAll(INVISIBLE, (character) => {
		const code = Number(character.codePointAt(0));
		return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
	});
}

/**
 * A text as one line: white space and control characters become single spaces, invisible
 * characters are spelled out, a cut is marked with an ellipsis.
 *
 * @param limit longest result in UTF-16 code units, at least 1
 * @example `excerpt("a\n  b")` is `"a b"`; `excerpt("abcdef", 4)` is `"abc…"`
 */
export function excerpt(text: string, limit = 240): string {
	// A little more than is shown is enough to see whether something is cut; the rest of a huge text is not read.
	const line = visible(text.slice(0, limit * 8))
		.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
		.trim();
	const cut = line.length > limit || text.length > limit * 8;
	return (cut ? `${line.slice(0, limit - 1)}…` : line).toWellFormed();
}
