/** How what was scored turned out; `unknown` as long as nothing has spoken. */
export type Outcome = "good" | "bad" | "unknown";

/** What can speak about a scored turn later; null where it has not, or was not asked. */
export interface LaterVerdicts {
	/** The gate on the same turn. */
	readonly gate: "PASS" | "FAIL" | null;
	/** A person's decision about the same output. */
	readonly human: "accepted" | "rejected" | null;
	/** The checks on the assembled tree. */
	readonly assembled: "pass" | "fail" | null;
}

/** The later outcome of a scored turn: `bad` when anything spoke against it, `good` when something spoke and nothing against. */
export function outcomeOf({ gate, human, assembled }: LaterVerdicts): Outcome {
	if (gate === "FAIL" || human === "rejected" || assembled === "fail") return "bad";
	return gate === null && human === null && assembled === null ? "unknown" : "good";
}
