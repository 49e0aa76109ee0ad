import type { Choice, ItemStatus } from "../human/human-item.ts";
import type { Trigger } from "../human/question.ts";
import type { Role } from "../kernel/roles.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";

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

export const TASK_STATUS_WORDS: Readonly<Record<TaskStatus, string>> = {
	pending: "pending",
	running: "running",
	needs_rework: "rework",
	paused_for_human: "waiting for you",
	completed: "completed",
	failed: "failed",
	blocked: "blocked",
	cancelled: "cancelled",
};

export const RUN_STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
	running: "running",
	paused_for_user_escalation: "waiting for you",
	completed: "completed",
	failed: "failed",
	cancelled: "cancelled",
};

/** What a turn leads to. */
export const ROUTE_WORDS = {
	approve: "approve",
	feedback: "feedback",
	escalate: "escalate",
	max_turns: "turn limit",
} as const;

/** What a question is about. */
export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
	requires_human: "approval",
	loop_exhausted: "turn limit",
	escalation: "escalation",
	false_claims: "false claims",
	conflict: "conflict",
	sign_off: "sign-off",
	budget: "budget",
	environment: "environment",
	role_error: "unusable answer",
	verification: "verification",
	suspicion: "suspicion",
	merge: "merge",
	corrupt_session: "damaged session",
};

const CHOICE_WORDS: Readonly<Record<Choice | "reject", string>> = {
	continue: "yes",
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

/** A trigger that an event names, likewise. */
export function triggerWords(trigger: string): string {
	return Object.entries(TRIGGER_WORDS).find(([name]) => name === trigger)?.[1] ?? trigger;
}

/** A flag of a task in words: a trigger's own, else its words with blanks between. */
export function flagWords(flag: string): string {
	const known = triggerWords(flag);
	return known === flag ? flag.replaceAll("_", " ") : known;
}
