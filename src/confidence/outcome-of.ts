/** How the scored work turned out; `unknown` until a later verdict exists. */
export type Outcome = "good" | "bad" | "unknown";

/** Later verdicts on a scored turn; null for one that does not exist, or not yet. */
export interface LaterVerdicts {
	/** The gate on the same turn. */
	readonly gate: "PASS" | "FAIL" | null;
	/** A person's decision about the same output. */
	readonly human: "accepted" | "rejected" | null;
	/** The checks on the assembled tree. */
	readonly assembled: "pass" | "fail" | null;
}

/** The outcome of a scored turn: `bad` if any later verdict is negative, `good` if there are only positive ones. */
export function outcomeOf({ gate, human, assembled }: LaterVerdicts): Outcome {
	if (gate === "FAIL" || human === "rejected" || assembled === "fail") return "bad";
	return gate === null && human === null && assembled === null ? "unknown" : "good";
}
