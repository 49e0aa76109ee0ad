import { expect, test } from "vitest";
import { failureFlags, failureReason } from "./choices.ts";
import type { Trigger } from "./question.ts";

test("with nobody to ask the trigger is the flag", () => {
	for (const trigger of [
		"escalation",
		"conflict",
		"budget",
		"environment",
		"role_error",
		"corrupt_session",
		"verification",
		"false_claims",
		"loop_exhausted",
	] satisfies Trigger[])
		expect(failureFlags(trigger, { pair: false })).toEqual([trigger]);
});

test("an exhausted pair is flagged as the pair's own failure too", () => {
	expect(failureFlags("loop_exhausted", { pair: true })).toEqual([
		"loop_exhausted",
		"max_iterations_exceeded",
	]);
});

test("a missing signature has its own flag, and requires_human only warns", () => {
	expect(failureFlags("sign_off", { pair: false })).toEqual(["sign_off_missing"]);
	expect(failureFlags("requires_human", { pair: true })).toEqual([]);
});

test("the reasons begin with a wording that programs can match", () => {
	expect(failureReason("loop_exhausted", { kind: "max_turns", bound: 3 })).toEqual({
		reason: "Max turns (3) reached without approval",
	});
	const stalled = { kind: "stalled", sign: "turns 2 and 3 changed nothing" } as const;
	expect(failureReason("escalation", stalled)).toEqual({
		reason: "Escalated for human review: turns 2 and 3 changed nothing",
	});
});

test("whatever only a person could decide is an escalation, and is told once", () => {
	const why = "the pair session is inconsistent: the session file was changed";
	expect(failureReason("corrupt_session", { kind: "session_corrupt", why })).toEqual({
		reason: `Escalated for human review: ${why}`,
	});
	const verification = { kind: "verification_exhausted", attempts: 3 } as const;
	expect(failureReason("verification", verification)).toEqual({
		reason: "Escalated for human review: the verifier's tests failed 3 times",
	});
	const conflicts = {
		kind: "conflicts",
		conflicts: [{ finding: "F1", attempt: 3, why: "no more attempts" }],
		critical: [],
	} as const;
	expect(failureReason("conflict", conflicts)).toEqual({
		reason: "Escalated for human review: Conflict about F1 (attempt 3): no more attempts",
		conflicts,
	});
});
