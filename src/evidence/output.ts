import type { Masker } from "../kernel/masking.ts";

/** Characters kept of the end of an output, for prompts and rows. */
const TAIL = 4_000;
const MAX_DETAILS = 50;
const MAX_DETAIL = 2_000;

/**
 * A text of at most about `limit` characters: its beginning, a line that says how much is left
 * out, and its end. Mask before, so that no secret is cut in two.
 */
export function capText(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const half = Math.floor(limit / 2);
	const left = text.length - 2 * half;
	return `${text.slice(0, half)}\n[... ${left} characters left out ...]\n${text.slice(-half)}`;
}

/** The last lines of an output, at most 4,000 characters; a line that is cut is dropped. */
export function tailOf(output: string): string {
	if (output.length <= TAIL) return output;
	const tail = output.slice(-TAIL);
	const start = tail.indexOf("\n") + 1;
	return start > 0 && start < tail.length ? tail.slice(start) : tail;
}

/** At most 50 masked entries of at most 2,000 characters, then "... and N more". */
export function clipDetails(details: readonly string[], masker: Masker): string[] {
	const clipped = details.slice(0, MAX_DETAILS).map((detail) => {
		const masked = masker.mask(detail);
		return masked.length > MAX_DETAIL ? `${masked.slice(0, MAX_DETAIL - 3)}...` : masked;
	});
	const more = details.length - MAX_DETAILS;
	return more > 0 ? [...clipped, `... and ${more} more`] : clipped;
}
