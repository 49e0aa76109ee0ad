import { type Alphabet, endOfRun } from "./alphabet.ts";
import type { Work } from "./finding.ts";
import type { Lines } from "./lines.ts";

/** A text in which tokens are looked for, in rising order of where their bodies begin. */
export interface TokenText extends Lines {
	/** The end of the run of characters of a set that starts at `from`, `limit` at most. */
	endOfRun(set: Alphabet, from: number, limit: number): number;
}

/**
 * Remembers the last run of each set, so that tokens which begin within one run do not read it again: each character is
 * looked at once for each set.
 */
export function tokenText(lines: Lines, work: Work): TokenText {
	const runs = new Map<Alphabet, { readonly start: number; readonly end: number }>();
	return {
		...lines,
		endOfRun(set, from, limit) {
			const last = runs.get(set);
			const isKnown = last !== undefined && last.start <= from && from <= last.end;
			const end = isKnown ? last.end : endOfRun(set, lines.text, from, lines.text.length);
			work.characters += isKnown ? 1 : end - from + 1;
			if (!isKnown) runs.set(set, { start: from, end });
			return Math.min(end, limit);
		},
	};
}
