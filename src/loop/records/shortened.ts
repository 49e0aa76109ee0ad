/** Longest text of a report in an event, in UTF-16 code units; the report has all of it. */
const LONGEST = 4_000;

/** A text as an event holds it: trimmed, and cut with an ellipsis. Masked before, since a cut may split a secret. */
export function shortened(text: string): string {
	const whole = text.trim();
	return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST - 1)}…`.toWellFormed();
}
