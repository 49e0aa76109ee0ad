import type { Choice, ItemStatus } from "../human/human-item.ts";
import { triggerWords } from "../human/trigger-words.ts";
import type { Role } from "../kernel/roles.ts";
import type { TaskPhase } from "../kernel/task-state.ts";

/*
 * What the states of the stored format are called on a screen. JSON has the states themselves.
 */

/** A seat or role with the agent in it: `"coach reviewer"`, `"tie-breaker arbiter"`. */
export function seatName(role: Role, agent: string): string {
	return `${role.replace("_", "-")} ${agent}`;
}

/** What a task is doing, in one or two words. */
export const PHASE_WORDS: Readonly<Record<TaskPhase, string>> = {
	initializing: "baseline",
	player_implementing: "player",
	validating: "checks",
	validated: "checks",
	verifying: "verification",
	verifying_dispatched: "verification",
	verified: "verification",
	verification_skipped: "verification",
	verification_failed: "verification",
	coach_validating: "coach",
	resolving_conflict: "conflict",
	scoring: "score",
	gating: "gate",
	processing_feedback: "feedback",
	awaiting_human: "waiting for you",
	merging: "merge",
	completed: "completed",
	failed: "failed",
	escalated: "failed",
};

/** What a turn leads to. */
export const ROUTE_WORDS = {
	approve: "approve",
	feedback: "feedback",
	escalate: "escalate",
	max_turns: "turn limit",
} as const;

const CHOICE_WORDS: Readonly<Record<Choice | "reject", string>> = {
	continue: "yes",
	unverified: "without independent tests",
	take_developer: "the player's side",
	take_reviewer: "the coach's side",
	directive: "a directive",
	reject: "no",
};

/** Where a question stands. */
export const ITEM_STATUS_WORDS: Readonly<Record<ItemStatus, string>> = {
	PENDING: "waiting",
	ACKED: "seen",
	RESOLVED: "answered",
	REJECTED: "rejected",
};

/** Likewise, as an event names it. */
export function itemStatusWords(status: string): string {
	return Object.entries(ITEM_STATUS_WORDS).find(([name]) => name === status)?.[1] ?? status;
}

/** An answer in words, as far as it is known: an older run may hold another one. */
export function choiceWords(choice: string): string {
	return Object.entries(CHOICE_WORDS).find(([name]) => name === choice)?.[1] ?? choice;
}

/** A flag of a task in words: a trigger's own, else its words with blanks between. */
export function flagWords(flag: string): string {
	const known = triggerWords(flag);
	return known === flag ? flag.replaceAll("_", " ") : known;
}
