const NAMED = 3;

/**
 * The first names behind a word, and how many more there are; `""` for none.
 *
 * @example `namedFew("; open", ["a", "b", "c", "d"])` is `"; open: a, b, c and 1 more"`
 */
export function namedFew(word: string, names: readonly string[]): string {
	if (names.length === 0) return "";
	const more = names.length - NAMED;
	return `${word}: ${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
