/** An account of an agent that has reached its limit. */
export interface SpentAccount {
	readonly agent: string;
	/** Time at which the limit is lifted, ISO 8601 UTC; null where nobody said. */
	readonly resetsAt: string | null;
	/** Words of the agent's program, masked. */
	readonly said: string;
	/** The workflow wants no question about it. */
	readonly fails: boolean;
}
