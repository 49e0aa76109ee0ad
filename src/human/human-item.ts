import { canonicalJson, sha256 } from "../kernel/json.ts";
import type { Question } from "./question.ts";

/** Life of an item: PENDING or ACKED is open, RESOLVED and REJECTED are final. */
export type ItemStatus = "PENDING" | "ACKED" | "RESOLVED" | "REJECTED";

/**
 * Choice of a person. `continue` says yes or try again, `unverified` goes on without independent tests; the others
 * take a side.
 */
export type AnswerChoice = "continue" | "unverified" | Side;

export type Side = "take_developer" | "take_reviewer" | "directive";

/** A person's answer, as stored. */
export interface Answer {
	readonly choice: AnswerChoice | "reject";
	/** With `directive`: what the player is told. */
	readonly directive: string | null;
	readonly notes: string | null;
	/** With `reject`: why. */
	readonly reason: string | null;
	/** US dollars added to a spent budget; left out where none were. */
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

export interface ItemRecord {
	readonly id: string;
	readonly runId: string;
	readonly taskId: string;
	readonly reason: string;
	readonly status: ItemStatus;
	readonly choices: readonly AnswerChoice[];
	readonly createdAt: string;
	readonly answer: Answer | null;
	readonly parts?: Readonly<Record<string, FindingAnswer>> | null;
	/** True once the holder of the run's lease acted on the answer. */
	readonly consumed: boolean;
}

interface WorkStand {
	readonly commit: string | null;
	readonly turns: number;
	readonly status: string;
}

/**
 * Version of a question, as 32 hexadecimal digits: an answer that names it holds for this question on this work, and
 * for nothing that took its place. Neither an acknowledgement nor an answer changes it.
 */
export function itemVersion(item: HumanItem, { commit, turns, status }: WorkStand): string {
	const { id, trigger, reason, choices } = item;
	// The same checkout has another path on another machine, and in the database.
	const context = { ...item.context, checkout: null };
	const shown = { id, trigger, reason, choices, context, commit, turns, status };
	return sha256(canonicalJson(shown)).slice(0, 32);
}

const causeOf = (item: HumanItem): string | null =>
	item.trigger === "quota" && item.answer === null && item.context.quota !== null
		? `${item.runId}/${item.context.quota.agent}`
		: null;

const isEarlier = (one: HumanItem, other: HumanItem): boolean =>
	one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;

/** The open items that one answer settles: the item itself, and those of other tasks that wait for the same account. */
export function sameCause(item: HumanItem, items: readonly HumanItem[]): readonly HumanItem[] {
	const cause = causeOf(item);
	return cause === null ? [item] : items.filter((other) => causeOf(other) === cause);
}

export function spokesItem(item: HumanItem, items: readonly HumanItem[]): HumanItem {
	return sameCause(item, items).reduce((one, other) => (isEarlier(other, one) ? other : one), item);
}

/** Tells an item that waits for an answer. */
export const isOpen = ({ status }: Pick<HumanItem, "status">): boolean =>
	status === "PENDING" || status === "ACKED";

/** The items that a person is shown: of those with one cause the first. */
export function asked<Item extends HumanItem>(items: readonly Item[]): readonly Item[] {
	return items.filter((item) => spokesItem(item, items) === item);
}
