import { wholeWords } from "./whole-words.ts";

/** A message quotes at most so much of what a program or a provider said. In characters. */
export const MAX_QUOTED = 300;

/**
 * The beginning of foreign text as one line for a message: without control characters, at most 300 characters, cut
 * between words.
 *
 * @example `quote("a\n\u001b[31mb")` is `"a [31mb"`
 */
export function quote(text: string): string {
	const start = text.slice(0, 4 * MAX_QUOTED).replaceAll(/[\p{Cc}\s]+/gu, " ");
	return wholeWords(start.trim(), MAX_QUOTED);
}
