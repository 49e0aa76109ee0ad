/** A text as one word of a shell's command line: `shellWord("it's")` is `"'it'\\''s'"`. */
export function shellWord(text: string): string {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
