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

/** A kind of secret that one of its keywords announces. */
export interface Detector {
	/** In lower case; the case of the text does not matter. */
	readonly keywords: readonly string[];
	/**
	 * @param start where the keyword starts
	 * @param keyword the keyword that was found, as it stands in `keywords`
	 * @returns null when what stands there is none
	 */
	detect(text: string, start: number, keyword: string, work: Work): Finding | null;
}
