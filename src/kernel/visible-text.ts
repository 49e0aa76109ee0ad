const escapeCharacter = (character: string): string => {
	const code = character.charCodeAt(0);
	return code < 0x100
		? `\\x${code.toString(16).padStart(2, "0")}`
		: `\\u${code.toString(16).padStart(4, "0")}`;
};

/**
 * A text as it may stand on a terminal: control characters and those that reorder a line are spelled out,
 * line ends and tabs stay. What agents wrote can therefore not move the cursor or hide a part of itself.
 *
 * @example `visibleText("a\u001b[2Jb")` is `"a\\x1b[2Jb"`
 */
export function visibleText(text: string): string {
	return text
		.replaceAll("\r\n", "\n")
		.replaceAll(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (character) =>
			character === "\n" || character === "\t" ? character : escapeCharacter(character),
		);
}

/** A text as one visible line of at most `limit` characters: white space is joined, the rest is cut with `...`. */
export function oneLine(text: string, limit: number = 200): string {
	const line = visibleText(text.replaceAll(/\s+/g, " ").trim());
	return line.length <= limit ? line : `${line.slice(0, Math.max(0, limit - 3))}...`;
}

/** A visible text with every line after `indent`. */
export function indented(text: string, indent: string): string {
	return visibleText(text.trim())
		.split("\n")
		.map((line) => `${indent}${line}`.trimEnd())
		.join("\n");
}

/** An id in at most `width` characters, cut behind a word: `shortId("search-index-rebuild", 18)` is `"search-index-..."`. */
export function shortId(id: string, width: number): string {
	if (id.length <= width) return id;
	const kept = id.slice(0, Math.max(0, width - 3));
	const end = Math.max(...["-", "_", "."].map((separator) => kept.lastIndexOf(separator)));
	return `${end > 0 ? kept.slice(0, end + 1) : kept}...`;
}
