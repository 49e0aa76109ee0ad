import { MAX_QUOTED } from "./quote.ts";

/** A text's end that is looked at: no line worth quoting is longer. In characters. */
const LOOKED_AT = 10_000;

/**
 * The last line of a program's talk that holds any text, fit to be quoted in one sentence: without control
 * characters, at most 300 characters.
 *
 * @returns empty when there is none
 * @example `lastLine("a\n\u001b[31mno key\n\n")` is `"[31mno key"`
 */
export function lastLine(text: string): string {
	// Escape sequences of terminals would garble the message's reader.
	const plain = text
		.slice(-LOOKED_AT)
		.replaceAll(/\p{Cc}+/gu, (found) => (found.includes("\n") ? "\n" : " "));
	return plain.trimEnd().split("\n").at(-1)?.trim().slice(0, MAX_QUOTED) ?? "";
}
