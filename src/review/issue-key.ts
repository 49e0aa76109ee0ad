const EDGE = /[\p{P}\p{Z}\s]/u;

/**
 * The form in which two texts of findings or criteria are compared.
 *
 * NFKC, lower case, white space collapsed, punctuation at both ends stripped. Text that is nothing but
 * punctuation keeps it, so that no text but an empty one has an empty key.
 *
 * @example `issueKey("  Burst is\n NOT refused! ")` is `"burst is not refused"`
 */
export function issueKey(text: string): string {
	const collapsed = collapse(text.normalize("NFKC").toLowerCase().normalize("NFKC"));
	// Walked by hand: an unanchored expression for the end is quadratic on a long run of punctuation.
	const characters = Array.from(collapsed);
	const inner = (character: string): boolean => !EDGE.test(character);
	const first = characters.findIndex(inner);
	if (first === -1) return collapsed;
	return characters.slice(first, characters.findLastIndex(inner) + 1).join("");
}

/** White space runs become one space, none at the ends: `collapse(" a\n b ")` is `"a b"`. */
export function collapse(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}
