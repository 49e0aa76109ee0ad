import type { Trigger } from "./question.ts";

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
		case "corrupt_session":
			return [trigger];
	}
}

const REASONS: Readonly<Record<Exclude<Trigger, "loop_exhausted">, string>> = {
	requires_human: "A person must agree before the merge",
	escalation: "Escalated for human review",
	conflict: "Player and coach could not agree",
	sign_off: "The sign-off of a person is missing",
	budget: "The budget is spent",
	environment: "The environment failed",
	role_error: "An agent gave no usable answer",
	corrupt_session: "The pair session is inconsistent",
};

/**
 * The `failure_reason` of a task that stops for this trigger. Begins with a fixed wording, for programs to match:
 * `Max turns (10) reached without approval`, `Escalated for human review`.
 *
 * @param options.bound the bound of turns that was in force
 * @param options.detail what happened, as one sentence; null when there is no more to say
 */
export function failureReason(
	trigger: Trigger,
	options: { readonly bound: number; readonly detail: string | null },
): string {
	const reason =
		trigger === "loop_exhausted"
			? `Max turns (${options.bound}) reached without approval`
			: REASONS[trigger];
	return options.detail === null ? reason : `${reason}: ${options.detail}`;
}
