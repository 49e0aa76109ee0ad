import { visible } from "./visible.ts";

/**
 * A text as one line: white space and control characters become single spaces, invisible
 * characters are spelled out, a cut is marked with an ellipsis.
 *
 * @param limit longest result in UTF-16 code units, at least 1
 * @example `excerpt("a\n  b")` is `"a b"`; `excerpt("abcdef", 4)` is `"abc…"`
 */
export function excerpt(text: string, limit = 240): string {
	// A little more than is shown is enough to see whether something is cut; the rest of a huge text is not read.
	const line = visible(text.slice(0, limit * 8))
		.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
		.trim();
	const cut = line.length > limit || text.length > limit * 8;
	return (cut ? `${line.slice(0, limit - 1)}…` : line).toWellFormed();
}
