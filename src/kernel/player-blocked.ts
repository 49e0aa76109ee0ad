/** What a player says keeps it from its task, in its own words. */
export interface PlayerBlocked {
	readonly reason: "task" | "test" | "environment" | "permission";
	/** Empty in a report that says `blocked` and not by what: then nothing follows from it. */
	readonly what: string;
	readonly evidence: readonly string[];
	readonly proposal: string;
}
