/** A secret in a text. */
export interface Finding {
	readonly start: number;
	readonly end: number;
	/** Names it in its mark. */
	readonly rule: string;
	/** What its mark is made of: the same for every way in which the secret is written. */
	readonly value: string;
}

/** The rule of what is a secret by where it stands, whatever names or encloses it. */
export const CONTEXT_RULE = "secret";

/** What a search has cost, so that a bound on it can be tested without a clock. */
export interface Work {
	/** Characters that rules looked at, beside the one step that the search for keywords takes for each. */
	characters: number;
	/** Stretches of text that patterns were run on. */
	windows: number;
}
