/**
 * The beginning of a text, cut between two words: half a secret would not be recognised as one. A first word that is
 * longer than the limit is counted instead of quoted.
 *
 * @param max in characters
 * @example `wholeWords("one two three", 9)` is `"one two ..."`
 */
export function wholeWords(text: string, max: number): string {
	if (text.length <= max) return text;
	// A word that ends exactly at the limit is whole.
	const end = text.slice(0, max + 1).search(/\s\S*$/);
	if (end > 0) return `${text.slice(0, end)} ...`;
	return `[a word of ${(/\s/.exec(text)?.index ?? text.length).toString()} characters]`;
}
