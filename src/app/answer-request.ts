import type { AnswerWay } from "../store/answer-terms.ts";

/** What an answer says besides itself. */
export interface AnswerProof {
	/** As `version` gave it: the answer is refused, with an `outdated` fault, where question or work changed since. */
	readonly version?: string | undefined;
	/** Where it was given; default: `program`. */
	readonly by?: AnswerWay | undefined;
}

export interface RejectionProof extends AnswerProof {
	readonly notes?: string | undefined;
}

/** A person's answer as the command line gives it; checked against the item's choices. */
export interface AnswerRequest extends AnswerProof {
	/** `continue`; `developer` (also `player`) or `reviewer` (also `coach`), `driver`, `challenger`, or the name of an agent. */
	readonly take?: string | undefined;
	readonly directive?: string | undefined;
	/** The findings in conflict that it answers; needed when more than one of the item waits. */
	readonly finding?: readonly string[] | undefined;
	readonly notes?: string | undefined;
	/** US dollars to add to the spent budget that the item is about; above 0. */
	readonly addUsd?: number | undefined;
	/** Time to add to it, such as `30m`. */
	readonly addWall?: string | undefined;
}
