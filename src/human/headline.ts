import { oneLine } from "../kernel/visible-text.ts";
import type { Trigger } from "./question.ts";
import { questionReason, type ReasonAsking, shortReason, type ToldReason } from "./reason.ts";

/** Subjects of questions. */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
	requires_human: "approval",
	loop_exhausted: "turn limit",
	escalation: "escalation",
	false_claims: "false claims",
	nothing_changed: "nothing changed",
	player_blocked: "player stopped",
	conflict: "conflict",
	sign_off: "sign-off",
	budget: "budget",
	environment: "environment",
	role_error: "agent failed",
	quota: "account limit",
	verification: "verification",
	suspicion: "suspicion",
	merge: "merge",
	no_worker: "no worker",
	corrupt_session: "damaged session",
};

/** A question's subject as an event names it; one of an older version that has no words is told as it is. */
export function triggerWords(trigger: string): string {
	return new Map(Object.entries(TRIGGER_WORDS)).get(trigger) ?? trigger;
}

/**
 * A reason as one visible line of at most `limit` characters. Of several conflicts the first stands there with how many
 * more there are, which is never cut off.
 *
 * @param limit 80 at least
 * @example two conflicts give `"Conflict about F1 (attempt 1): the answers differ; and 1 more"`
 */
export function reasonLine(reason: ToldReason, limit: number = 200): string {
	const { first, rest } = shortReason(reason);
	return `${oneLine(first, limit - rest.length)}${oneLine(rest)}`;
}

/** Subject and reason of what a person is asked: the one line by which every screen tells of the stop. */
export const askHeadline = (trigger: string, why: ToldReason): string =>
	`${triggerWords(trigger)}: ${reasonLine(why)}`;

export const questionHeadline = (item: ReasonAsking): string =>
	askHeadline(item.trigger, questionReason(item));
