import wrapAnsi from "wrap-ansi";

const ELLIPSIS = "...";

/** Whether a line without colours takes at most `columns` columns of a terminal; `"日本"` takes four. */
export function fits(line: string, columns: number): boolean {
	return line === "" || (columns > 0 && !wrapAnsi(line, columns, { hard: true }).includes("\n"));
}

/**
 * A line of at most `columns` columns: what is too long ends after a word, with `...`. Only a first word that is longer
 * than all of it is cut.
 *
 * @example `cutWords("reads the limiter", 14)` is `"reads the..."`
 */
export function cutWords(line: string, columns: number): string {
	if (fits(line, columns)) return line;
	const room = columns - ELLIPSIS.length;
	if (room <= 0) return "";
	const [first = ""] = wrapAnsi(line, room, { hard: true }).split("\n");
	const kept = first.trimEnd();
	// A word that is longer than the room is broken wherever it stands.
	const isWhole = line.startsWith(`${kept} `);
	const end = isWhole ? -1 : kept.lastIndexOf(" ");
	return `${end > 0 ? kept.slice(0, end).trimEnd() : kept}${ELLIPSIS}`;
}

const INDENT = "  ";

/**
 * A text with colours as lines of at most `columns` columns, broken between words, the later ones indented. A longer word,
 * such as a path, stays whole: it can be copied, and the terminal breaks it.
 */
export function wrapWords(text: string, columns: number): string {
	const wrapped = (line: string): string =>
		wrapAnsi(line, Math.max(1, columns - INDENT.length)).replaceAll("\n", `\n${INDENT}`);
	return text
		.split("\n")
		.map((line) => (wrapAnsi(line, columns).includes("\n") ? wrapped(line) : line))
		.join("\n");
}
