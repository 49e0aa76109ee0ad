/** A player's word for what keeps it from its task. */
export interface PlayerBlocked {
	readonly reason: "task" | "test" | "environment" | "permission";
	/** Empty in a report that says `blocked` and not by what: then nothing follows from it. */
	readonly what: string;
	readonly evidence: readonly string[];
	readonly proposal: string;
}
