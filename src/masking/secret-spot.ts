/** A place in a text where a secret stands. */
export interface SecretSpot {
	readonly start: number;
	readonly end: number;
	/** Names it in its mark. */
	readonly rule: string;
	/** What its mark is made of: the same for every way in which the secret is written. */
	readonly value: string;
}

/** The rule of what is a secret by where it stands, whatever names or encloses it. */
export const CONTEXT_RULE = "secret";
