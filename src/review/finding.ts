export type Severity = "minor" | "major" | "critical";

export type FindingState =
	| "open"
	| "fixed"
	| "reopened"
	| "disputed"
	| "upheld"
	| "withdrawn"
	| "overruled";

/** A decision between both sides of a disputed finding. */
export interface Ruling {
	readonly by: "tie_breaker" | "person";
	/** PASS: the finding is overruled. FAIL: it stands and must be fixed. */
	readonly decision: "PASS" | "FAIL";
	/** Masked. */
	readonly rationale: string;
	readonly turn: number;
	/** Evidence of the dispute that it decided: left out until a newer dispute takes that one's place in the finding. */
	readonly evidence?: string | null;
}

/** One item of a coach's feedback, with an id that is stable over the task: `F1`, `F2`, ... */
export interface Finding {
	readonly id: string;
	/** Verbatim text of the coach, masked. */
	readonly issue: string;
	readonly severity: Severity;
	readonly state: FindingState;
	readonly file: string | null;
	readonly line: number | null;
	/** The criterion that it breaks, as the task states it. */
	readonly criterion: string | null;
	readonly suggestion: string | null;
	/** The player's last reasoned rebuttal. */
	readonly dispute: {
		readonly reason: string;
		readonly evidence: string | null;
		readonly turn: number;
	} | null;
	/** Decision of a tie-breaker or a person on the last dispute; null or left out while there is none. */
	readonly ruling?: Ruling | null;
	/**
	 * `coach`: an item of its feedback; `criterion`: made by Sparring for a criterion called unmet; `verification`: made for a
	 * verifier's test that failed, and closed by its runs alone.
	 */
	readonly source: "coach" | "criterion" | "verification";
	/** Name of the failed test, where the source is `verification`; left out otherwise. */
	readonly test?: string;
	/** Id of the suspicion that the coach did not accept; left out where the finding is about none. */
	readonly suspicion?: string;
	/** Set when code that did not change since the last round is criticised late: shown, never blocking. */
	readonly late: boolean;
	/** The subtask in which it was raised; null where the task has none. */
	readonly subtask: string | null;
	readonly raisedTurn: number;
	/** The turn in which the state last changed. */
	readonly changedTurn: number;
}

const EDGE = /[\p{P}\p{Z}\s]/u;

// NFKC, lower case, white space collapsed, punctuation at both ends stripped. Text that is nothing but punctuation
// keeps it, so that no text but an empty one has an empty key.
export function issueKey(text: string): string {
	const collapsed = collapse(text.normalize("NFKC").toLowerCase().normalize("NFKC"));
	// Walked by hand: an unanchored expression for the end is quadratic on a long run of punctuation.
	const characters = Array.from(collapsed);
	const inner = (character: string): boolean => !EDGE.test(character);
	const first = characters.findIndex(inner);
	if (first === -1) return collapsed;
	return characters.slice(first, characters.findLastIndex(inner) + 1).join("");
}

export function collapse(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}
