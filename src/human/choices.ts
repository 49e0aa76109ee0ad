import type { AnswerChoice, Side } from "./human-item.ts";
import type { Trigger } from "./question.ts";
import { type Reason, type ToldReason, toldReason } from "./reason.ts";

const SIDES: readonly AnswerChoice[] = ["take_developer", "take_reviewer", "directive"];
const YES: readonly AnswerChoice[] = ["continue"];

/**
 * Choices of a person: a side or a directive where both sides stand, else `continue`. Where an agent that judges gives
 * no answer, the work can also go on without it: asking for ever is no way forward.
 */
export function choicesFor(
	trigger: Trigger,
	reason: Reason | null = null,
): readonly AnswerChoice[] {
	return [...(trigger in CONTINUE ? YES : SIDES), ...(reason === null ? [] : without(reason))];
}

function without(reason: Reason): readonly AnswerChoice[] {
	if (reason.kind === "role_failed") {
		if (reason.role === "verifier") return ["unverified"];
		return reason.role === "coach" ? ["take_developer"] : [];
	}
	const isOfTests =
		reason.kind === "checks_spoilt" &&
		reason.checks.some(({ check }) => check === VERIFICATION_RUN);
	return isOfTests ? ["unverified"] : [];
}

/** Name of the run of a verifier's tests, among checks that gave no result. */
export const VERIFICATION_RUN = "verification";

const CONTINUE: Readonly<Partial<Record<Trigger, string>>> = {
	requires_human: "The task goes on to its merge.",
	sign_off: "The gate's report is signed, and the task goes on to its merge.",
	budget: "The budget is checked again; if it is still spent, the task waits again.",
	environment: "The step that could not be carried out is tried again; no turn is charged.",
	role_error: "The agent is called again; no turn is charged.",
	quota: "Every task that waits for this agent calls it again; no turn is charged.",
	no_worker: "The task waits for a worker again.",
	corrupt_session: "The session is rebuilt from the database, and the loop goes on.",
};

const DIRECTIVE =
	"Player and coach get your words, and the player gets one more turn, even at the limit.";

const SIDE_EFFECTS: Readonly<Partial<Record<Trigger, Readonly<Record<Side, string>>>>> = {
	conflict: {
		take_developer:
			"The finding is overruled, and where nothing else blocks the work goes on to the gate without another player turn; other open blocking findings go back to the player.",
		take_reviewer:
			"The finding stands and binds the player, which can dispute it no more and gets one more turn, even at the limit.",
		directive:
			"The finding stays open; player and coach get your words, and the player gets one more turn, even at the limit.",
	},
	verification: {
		take_developer:
			"The tests that fail are withdrawn, the rest runs again, and the work goes on to the coach without another player turn.",
		take_reviewer:
			"The tests stand and bind the player, which can dispute them no more and gets one more turn, even at the limit.",
		directive:
			"The player is told your words in one more turn, and the verifier writes new tests, since your words are part of what is asked for.",
	},
	suspicion: {
		take_developer:
			"The changes are accepted as they stand, and the work goes on without another player turn; changed again, they are asked about again.",
		take_reviewer:
			"The changes are not accepted: the player is told which they are and gets one more turn, even at the limit.",
		directive: DIRECTIVE,
	},
	false_claims: {
		take_developer:
			"The work goes on to verification and the coach without another player turn; they judge it as usual.",
		take_reviewer:
			"The player is told which claims are false and gets one more turn, even at the limit; the count of its reports starts again.",
		directive: DIRECTIVE,
	},
	nothing_changed: {
		take_developer:
			"The task counts as done already: it goes on to the gate as it stands, and there is nothing to merge.",
		take_reviewer:
			"The player is told that it changed nothing and gets one more turn, even at the limit.",
		directive: DIRECTIVE,
	},
	player_blocked: {
		take_developer:
			"The player's word is accepted: the work goes on to the gate as it stands, without a coach and without another player turn; the gate can still refuse it.",
		take_reviewer:
			"The player is told to go on all the same and gets one more turn, even at the limit.",
		directive: DIRECTIVE,
	},
	merge: {
		take_developer:
			"The merge is tried again with the work as it stands, without another player turn; it can be refused again.",
		take_reviewer: "The player fixes the merge in one more turn, even at the limit.",
		directive:
			"Player and coach get your words, and the player fixes the merge in one more turn, even at the limit.",
	},
};

const EFFECTS: Readonly<Record<Exclude<AnswerChoice, "continue"> | "reject", string>> = {
	unverified:
		"The task goes on without independent tests, in later turns too, and is marked unverified; a gate of tier T1 or T2 does not pass without them.",
	take_developer:
		"The work goes on to the gate as it stands, without another player turn; the gate can still refuse it.",
	take_reviewer:
		"The player fixes the open findings in one more turn, which is granted even at the limit.",
	directive: DIRECTIVE,
	reject: "The task fails with the reason that you give; its branch and checkout stay.",
};

/**
 * Effect of an answer, as one sentence for the person who is about to give it. Of a conflict it is about one finding,
 * save for `reject`, which ends the task.
 */
export function describeChoice(trigger: Trigger, choice: AnswerChoice | "reject"): string {
	if (choice === "continue")
		return CONTINUE[trigger] ?? "This question needs a side or a directive.";
	const effects: Readonly<Partial<typeof EFFECTS>> = SIDE_EFFECTS[trigger] ?? {};
	return effects[choice] ?? EFFECTS[choice];
}

/**
 * Flags of a task that fails because nobody may be asked. `requires_human` fails nothing (a warning when the file is
 * loaded), so it has none.
 */
export function failureFlags(trigger: Trigger, options: { readonly pair: boolean }): string[] {
	if (trigger === "requires_human") return [];
	if (trigger === "sign_off") return ["sign_off_missing"];
	const isOfPair = trigger === "loop_exhausted" && options.pair;
	return isOfPair ? [trigger, "max_iterations_exceeded"] : [trigger];
}

const REASONS: Readonly<Partial<Record<Trigger, string>>> = {
	requires_human: "A person must agree before the merge",
	sign_off: "The sign-off of a person is missing",
	environment: "The environment failed",
	role_error: "An agent failed",
	quota: "An account has reached its limit",
	no_worker: "No machine can take the task",
	merge: "The work could not be merged",
	false_claims: "The player's reports are false",
	nothing_changed: "Nothing was changed",
	player_blocked: "The player stopped",
};

/**
 * The `failure_reason` of a task that stops because nobody may be asked. Begins with a fixed wording, for programs to
 * match: `Max turns (10) reached without approval`, `Escalated for human review`.
 */
export function failureReason(trigger: Trigger, reason: Reason): ToldReason {
	const told = toldReason(reason);
	// An exhausted loop and a spent budget say it in these words themselves, with the bound.
	if (trigger === "loop_exhausted" || trigger === "budget") return told;
	return { ...told, reason: `${REASONS[trigger] ?? "Escalated for human review"}: ${told.reason}` };
}
