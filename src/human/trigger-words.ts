import type { Trigger } from "./question.ts";

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

/** A trigger that an event names, in words, as far as it is known: an older run may hold another one. */
export function triggerWords(trigger: string): string {
	return Object.entries(TRIGGER_WORDS).find(([name]) => name === trigger)?.[1] ?? trigger;
}
