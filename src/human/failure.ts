import type { Trigger } from "./question.ts";
import { type Reason, type ToldReason, toldReason } from "./reason.ts";

/**
 * The flags of a task that fails because nobody may be asked (HIL off): the trigger itself; for an exhausted loop of a
 * pair also `max_iterations_exceeded`; for a missing signature `sign_off_missing`. `requires_human` fails nothing
 * (a warning when the file is loaded), so it has none.
 *
 * @example `failureFlags("loop_exhausted", { pair: true })` is `["loop_exhausted", "max_iterations_exceeded"]`
 */
export function failureFlags(trigger: Trigger, options: { readonly pair: boolean }): string[] {
	switch (trigger) {
		case "requires_human":
			return [];
		case "sign_off":
			return ["sign_off_missing"];
		case "loop_exhausted":
			return options.pair ? [trigger, "max_iterations_exceeded"] : [trigger];
		case "escalation":
		case "conflict":
		case "budget":
		case "environment":
		case "role_error":
		case "quota":
		case "no_worker":
		case "corrupt_session":
		case "verification":
		case "suspicion":
		case "merge":
		case "false_claims":
		case "nothing_changed":
		case "player_blocked":
			return [trigger];
	}
}

const ESCALATED = "Escalated for human review";

const REASONS: Readonly<Record<Exclude<Trigger, "loop_exhausted" | "budget">, string>> = {
	requires_human: "A person must agree before the merge",
	escalation: ESCALATED,
	conflict: ESCALATED,
	sign_off: "The sign-off of a person is missing",
	environment: "The environment failed",
	role_error: "An agent gave no usable answer",
	quota: "An account has reached its limit",
	no_worker: "No machine can take the task",
	corrupt_session: ESCALATED,
	verification: ESCALATED,
	suspicion: ESCALATED,
	merge: "The work could not be merged",
	false_claims: "The player's reports are false",
	nothing_changed: "Nothing was changed",
	player_blocked: "The player stopped",
};

/**
 * The `failure_reason` of a task that stops for this trigger because nobody may be asked. Begins with a fixed wording, for
 * programs to match: `Max turns (10) reached without approval`, `Escalated for human review`.
 *
 * @example of a stall: `Escalated for human review: two consecutive turns changed nothing`
 */
export function failureReason(trigger: Trigger, reason: Reason): ToldReason {
	const told = toldReason(reason);
	// An exhausted loop and a spent budget say it in these words themselves, with the bound.
	if (trigger === "loop_exhausted" || trigger === "budget") return told;
	return { ...told, reason: `${REASONS[trigger]}: ${told.reason}` };
}
