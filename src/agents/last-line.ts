import { MAX_QUOTED } from "./quote.ts";
import { wholeWords } from "./whole-words.ts";

/** A text's end that is looked at: no line worth quoting is longer. In characters. */
const LOOKED_AT = 10_000;

/**
 * The last line of a program's talk that holds any text, fit to be quoted in one sentence: without control
 * characters, at most 300 characters, cut between words.
 *
 * @returns empty when there is none
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
