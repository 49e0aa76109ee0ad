import type { Question } from "./question.ts";

/** Life of an item: PENDING or ACKED is open, RESOLVED and REJECTED are final. */
export type ItemStatus = "PENDING" | "ACKED" | "RESOLVED" | "REJECTED";

/**
 * Choice of a person. `continue` says yes or try again, `unverified` goes on without independent tests; the others
 * take a side.
 */
export type Choice = "continue" | "unverified" | Side;

/** A side, or words for it. */
export type Side = "take_developer" | "take_reviewer" | "directive";

/** A person's answer, as stored. */
export interface Answer {
	readonly choice: Choice | "reject";
	/** With `directive`: what the player is told. */
	readonly directive: string | null;
	readonly notes: string | null;
	/** With `reject`: why. */
	readonly reason: string | null;
	/** What it added to a spent budget, in US dollars; left out where it added none. */
	readonly addUsd?: number;
	/** Likewise the time, in milliseconds. */
	readonly addWallMs?: number;
	readonly answeredAt: string;
}

/** A person's answer to one of several conflicts that an item asks about. */
export interface FindingAnswer {
	readonly choice: Side;
	/** With `directive`: what the player is told of this finding. */
	readonly directive: string | null;
	readonly notes: string | null;
	readonly answeredAt: string;
}

/** A question for a person, stored before anybody is told. A task has at most one open item. */
export type HumanItem = ItemRecord & Question;

/** What every item has, whatever it asks. */
export interface ItemRecord {
	readonly id: string;
	readonly runId: string;
	readonly taskId: string;
	/** In words: what happened and what is asked. What it has to say of conflicts stands in the context as a value. */
	readonly reason: string;
	readonly status: ItemStatus;
	readonly choices: readonly Choice[];
	readonly createdAt: string;
	readonly answer: Answer | null;
	/** Answers by finding, of an item about conflicts; left out while there is none. */
	readonly parts?: Readonly<Record<string, FindingAnswer>> | null;
	/** True once the holder of the run's lease acted on the answer. */
	readonly consumed: boolean;
}
