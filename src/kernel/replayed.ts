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

/** A check as people read it: `replay:tests` is `replay of tests`. */
export function checkWords(check: string): string {
	return check.startsWith(PREFIX) ? `replay of ${checkBehind({ check })}` : check;
}
