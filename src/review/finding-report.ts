import type { Snake } from "../kernel/snake-case.ts";
import type { Finding, Ruling } from "./finding.ts";

/** A finding with its life, as `spar findings --json` prints it. */
export interface FindingReport
	extends Pick<
			Finding,
			| ("id" | "state" | "severity" | "late" | "source" | "criterion" | "file" | "line")
			| ("issue" | "suggestion" | "subtask" | "dispute")
		>,
		Snake<Pick<Finding, "raisedTurn" | "changedTurn">> {
	/** True while it blocks an approval. */
	readonly blocking: boolean;
	/** Decision of a tie-breaker or a person on a dispute; null while nobody has decided. */
	readonly ruling: Omit<Ruling, "evidence"> | null;
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
