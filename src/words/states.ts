import { triggerWords } from "../human/headline.ts";
import type { AnswerChoice, ItemStatus } from "../human/human-item.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";

/*
 * Words of the stored states on a screen: terminal, reports and page. JSON has the states themselves.
 */

/** State of something, for its colour; the word says it too. */
export type Tone = "good" | "bad" | "attention" | "live" | "quiet";

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

/** By the stored status alone: `runWords` says where a run stands. */
export const RUN_STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
	running: "running",
	paused_for_user_escalation: "waiting for you",
	completed: "completed",
	failed: "failed",
	cancelled: "cancelled",
};

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

export const ROUTE_WORDS = {
	approve: "approve",
	feedback: "feedback",
	escalate: "escalate",
	max_turns: "turn limit",
} as const;

export const ITEM_STATUS_WORDS: Readonly<Record<ItemStatus, string>> = {
	PENDING: "waiting",
	ACKED: "seen",
	RESOLVED: "answered",
	REJECTED: "rejected",
};

const CHOICE_WORDS: Readonly<Record<AnswerChoice | "reject", string>> = {
	continue: "yes",
	unverified: "without independent tests",
	take_developer: "the player's side",
	take_reviewer: "the coach's side",
	directive: "a directive",
	reject: "no",
};

/** A word of a table; an older run may hold one that the table does not know, which is told as it is. */
function wordOf(table: Readonly<Record<string, string>>, word: string): string {
	return Object.hasOwn(table, word) ? (table[word] ?? word) : word;
}

export function itemStatusWords(status: string): string {
	return wordOf(ITEM_STATUS_WORDS, status);
}

export function choiceWords(choice: string): string {
	return wordOf(CHOICE_WORDS, choice);
}

/** A stored word on a screen: `"tool_error"` is `"tool error"`. */
export function plain(word: string): string {
	return word.replaceAll("_", " ");
}

/** A flag of a task in words: a trigger's own, else its words with blanks between. */
export function flagWords(flag: string): string {
	const known = triggerWords(flag);
	return known === flag ? plain(flag) : known;
}

/** A seat or role with the agent in it: `"coach reviewer"`, `"tie-breaker arbiter"`. */
export function seatName(role: string, agent: string): string {
	return `${role.replace("_", "-")} ${agent}`;
}

const TONES: Readonly<Record<string, Tone>> = {
	running: "live",
	needs_rework: "live",
	paused_for_human: "attention",
	paused_for_user_escalation: "attention",
	completed: "good",
	failed: "bad",
	blocked: "bad",
	cancelled: "quiet",
	pending: "quiet",
	pass: "good",
	PASS: "good",
	passed: "good",
	approve: "good",
	fixed: "good",
	withdrawn: "good",
	overruled: "good",
	WAIVED: "attention",
	fail: "bad",
	FAIL: "bad",
	error: "bad",
	absent: "attention",
	ABSENT: "attention",
	inconclusive: "attention",
	feedback: "attention",
	escalate: "attention",
	max_turns: "attention",
	open: "attention",
	reopened: "attention",
	disputed: "attention",
	upheld: "attention",
	critical: "bad",
	blocking: "bad",
	major: "attention",
};

/** The colour of a stored word; what has none of its own is quiet. */
export function toneOf(word: string): Tone {
	return Object.hasOwn(TONES, word) ? (TONES[word] ?? "quiet") : "quiet";
}

/** Mover of a finding, in a sentence. */
export const MOVER_WORDS = {
	player: "the player",
	coach: "the coach",
	verifier: "the verifier",
	tie_breaker: "the tie-breaker",
	person: "a person",
} as const;
