/**
 * Conflicts that wait for a person: one or more, each about a finding, with the critical findings of the same turn, so that
 * one question names all of it.
 */
export interface ConflictsReason {
	readonly kind: "conflicts";
	readonly conflicts: readonly {
		readonly finding: string;
		readonly attempt: number;
		/** Reason for which nobody but a person can decide. */
		readonly why: string;
	}[];
	readonly critical: readonly { readonly finding: string; readonly issue: string }[];
}

export interface TextReason {
	reason: string;
	conflicts?: ConflictsReason;
}
