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
