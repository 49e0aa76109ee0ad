/** No check can have a name with a colon. */
const PREFIX = "replay:";

/** Name of the evidence of a replay: `replay:tests` for the check `tests`. */
export function replayOf(check: string): string {
	return `${PREFIX}${check}`;
}

/** The check that a piece of evidence comes from, replayed or not. */
export function checkBehind({ check }: { readonly check: string }): string {
	return check.startsWith(PREFIX) ? check.slice(PREFIX.length) : check;
}

/** A check as people read it: `replay:tests` is `the base's tests on the work`. */
export function checkWords(check: string): string {
	return check.startsWith(PREFIX) ? `the base's ${checkBehind({ check })} on the work` : check;
}
