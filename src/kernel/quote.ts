/** Longest quotation of the user's own text inside a message, in characters. */
const LONGEST_QUOTE = 80;

/** Text of another program for use inside a message: its first line, cut, control characters escaped. */
export function plain(text: string): string {
	const [first = ""] = text.trim().split("\n");
	return quote(first).slice(1, -1).replaceAll('\\"', '"');
}

/**
 * Text of the user for use inside a message: in quotation marks, cut, and with control characters escaped, so that a
 * message stays one line and moves no terminal.
 */
export function quote(text: string): string {
	const cut = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
	return JSON.stringify(cut).replaceAll(
		/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
