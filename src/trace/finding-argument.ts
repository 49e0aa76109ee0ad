/** Argument of one side about a finding. */
export interface FindingArgument {
	readonly by: "player" | "coach" | "verifier" | "tie_breaker" | "person";
	readonly text: string;
	readonly evidence: string | null;
	/** Set where a person chose and said no more: then `text` says the choice in Sparring's words. Else left out. */
	readonly unsaid?: true;
}
