import type { Finding, Ruling } from "./finding.ts";

/** A finding with its life, as `spar findings --json` prints it. */
export interface FindingReport {
	/** `F1`, `F2`, ... over the whole task. */
	readonly id: string;
	readonly state: Finding["state"];
	readonly severity: Finding["severity"];
	/** True while it blocks an approval. */
	readonly blocking: boolean;
	/** True for late criticism of code that had not changed: shown, never blocking. */
	readonly late: boolean;
	/** `coach`: an item of its feedback; `criterion`: made for a criterion that it called unmet. */
	readonly source: Finding["source"];
	readonly criterion: string | null;
	readonly file: string | null;
	readonly line: number | null;
	/** The coach's words. */
	readonly issue: string;
	readonly suggestion: string | null;
	/** The subtask in which it was raised. */
	readonly subtask: string | null;
	/** The player's last rebuttal, with the turn in which it was made. */
	readonly dispute: Finding["dispute"];
	/** Decision of a tie-breaker or a person on a dispute; null while nobody has decided. */
	readonly ruling: Omit<Ruling, "evidence"> | null;
	readonly raised_turn: number;
	/** The turn in which the state last changed. */
	readonly changed_turn: number;
	/** Its life, the oldest first. */
	readonly history: readonly FindingHistoryEntry[];
	/** Attempts at settling it, in the order in which they were resolved. */
	readonly conflicts: readonly FindingConflictReport[];
}

/** One thing that happened to a finding. */
export interface FindingHistoryEntry {
	/** null where it belongs to no turn. */
	readonly turn: number | null;
	/** Set where a person chose and said no more: `text` then says the choice in Sparring's words. */
	readonly unsaid?: true;
	/**
	 * The state that it came to; or `dispute_ignored`: a dispute was not taken up; `conflict_settled`: the tie-breaker
	 * decided; `conflict_escalated`: a person is asked; `answered`: that person chose.
	 */
	readonly state:
		| Finding["state"]
		| "dispute_ignored"
		| "conflict_settled"
		| "conflict_escalated"
		| "answered";
	/** Seat or person whose word it was; null where it was nobody's. */
	readonly by: "player" | "coach" | "verifier" | "tie_breaker" | "person" | null;
	/** Words of at most 4,000 characters; null where there were none. `answered`: what was chosen. */
	readonly text: string | null;
	readonly evidence: string | null;
	/** ISO 8601 UTC. */
	readonly timestamp: string;
}

/** One attempt at settling a disputed finding. */
export interface FindingConflictReport {
	readonly conflict_id: string;
	readonly turn: number;
	/** From 1, by finding. */
	readonly attempt: number;
	/** `AUTO`: the tie-breaker decided. `ESCALATE`: a person is asked. */
	readonly resolution: "AUTO" | "ESCALATE";
	/** Agent that was asked as the tie-breaker; null where nobody was. */
	readonly tie_breaker: string | null;
	/** With `AUTO`: PASS overrules the finding, FAIL lets it stand. */
	readonly decision: "PASS" | "FAIL" | null;
	/** With `AUTO`: the tie-breaker's reason. */
	readonly rationale: string | null;
	/** With `ESCALATE`: why. */
	readonly escalation_reason: string | null;
}
