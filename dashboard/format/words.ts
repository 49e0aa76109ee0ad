import type { ItemDetail, RunRow, TaskRow } from "../../src/web/protocol.ts";

/*
 * What the states of the stored format are called on the page: the words of the terminal, which a test compares.
 */

/** How something stands, for its colour; the word says it too. */
export type Tone = "good" | "bad" | "attention" | "live" | "quiet";

type Phase = TaskRow["phase"];
type TaskStatus = TaskRow["status"];
type RunStatus = RunRow["status"];
type Trigger = ItemDetail["trigger"];

/** What a task is doing, in one or two words. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
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

/** What a question is about. */
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
	role_error: "unusable answer",
	quota: "account limit",
	verification: "verification",
	suspicion: "suspicion",
	merge: "merge",
	no_worker: "no worker",
	corrupt_session: "damaged session",
};

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
	major: "attention",
};

/** The colour of a state's word; what has no state of its own is quiet. */
export function toneOf(word: string): Tone {
	return TONES[word] ?? "quiet";
}

/** A stored word on a screen: `"tie_breaker"` is `"tie breaker"`. */
export function plain(word: string): string {
	return word.replaceAll("_", " ");
}

/** A flag of a task in words: a trigger's own, else its words with blanks between. */
export function flagWords(flag: string): string {
	return Object.entries(TRIGGER_WORDS).find(([trigger]) => trigger === flag)?.[1] ?? plain(flag);
}
