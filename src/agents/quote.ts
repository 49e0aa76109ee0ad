const MAX_QUOTED = 300;

/**
 * Cuts a text between two words: half a secret would not be recognised as one. A first word that is longer than the
 * limit is counted instead of quoted.
 *
 * @example `wholeWords("one two three", 9)` is `"one two ..."`
 */
export function wholeWords(text: string, max: number): string {
	if (text.length <= max) return text;
	// A word that ends exactly at the limit is whole.
	const end = text.slice(0, max + 1).search(/\s\S*$/);
	if (end > 0) return `${text.slice(0, end)} ...`;
	return `[a word of ${(/\s/.exec(text)?.index ?? text.length).toString()} characters]`;
}

const LOOKED_AT = 10_000;

/**
 * The last line of a program's talk that holds any text, without control characters, at most 300 characters.
 *
 * @example `lastLine("a\n\u001b[31mno key\n\n")` is `"[31mno key"`
 */
export function lastLine(text: string): string {
	// Escape sequences of terminals would garble the message's reader.
	const plain = text
		.slice(-LOOKED_AT)
		.replaceAll(/\p{Cc}+/gu, (found) => (found.includes("\n") ? "\n" : " "));
	const lines = plain.trimEnd().split("\n");
	const last = lines.at(-1)?.trim() ?? "";
	// Of a line that begins before what is looked at the first word may be torn.
	const whole = lines.length > 1 || text.length <= LOOKED_AT ? last : last.replace(/^\S*\s*/, "");
	return wholeWords(whole, MAX_QUOTED);
}

const FRAME = /^\s+at\s/;
const TRAILER = /^Node\.js v\d|^\(Use `node --trace/;
const EXCEPTION = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

/**
 * The line of a program's talk that says why it ended: of an exception that Node.js printed last its first line, else
 * the last line.
 *
 * @example `lastWords("Error: no key\n    at a.js:1:7\n\nNode.js v24.11.0\n")` is `"Error: no key"`
 */
export function lastWords(text: string): string {
	const lines = text
		.slice(-LOOKED_AT)
		.split("\n")
		// The first line may be torn.
		.slice(text.length > LOOKED_AT ? 1 : 0)
		.filter((line) => line.trim() !== "");
	const last = lines.at(-1) ?? "";
	const isCrash =
		TRAILER.test(last) ||
		FRAME.test(last) ||
		(last.trimEnd() === "}" && lines.some((line) => FRAME.test(line)));
	if (!isCrash) return lastLine(text);
	const said = (line: string): boolean => !(TRAILER.test(line) || FRAME.test(line));
	return lastLine(lines.findLast((line) => EXCEPTION.test(line)) ?? lines.findLast(said) ?? text);
}

const MAX_TOGETHER = 160;

/**
 * `lastWords` with up to two short lines before it: a program may say the cause first and the advice last.
 *
 * @example `lastLines("no key\nset API_KEY\n")` is `"no key / set API_KEY"`
 */
export function lastLines(text: string): string {
	const words = lastWords(text);
	const lines = text.slice(-LOOKED_AT).split("\n").map(lastLine).filter(Boolean);
	if (lines.at(-1) !== words) return words;
	const fitting = [3, 2, 1].map((count) => lines.slice(-count).join(" / "));
	return fitting.find((said) => said.length <= MAX_TOGETHER) ?? words;
}

/**
 * The beginning of foreign text as one line, without control characters, at most 300 characters.
 *
 * @example `quote("a\n\u001b[31mb")` is `"a [31mb"`
 */
export function quote(text: string): string {
	const start = text.slice(0, 4 * MAX_QUOTED).replaceAll(/[\p{Cc}\s]+/gu, " ");
	return wholeWords(start.trim(), MAX_QUOTED);
}
