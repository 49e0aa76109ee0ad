import { expect, test } from "vitest";
import { choicesFor, describeChoice } from "./choices.ts";
import type { Trigger } from "./question.ts";

const SIDED: readonly Trigger[] = [
	"loop_exhausted",
	"escalation",
	"conflict",
	"verification",
	"suspicion",
	"false_claims",
];
const YES: readonly Trigger[] = [
	"requires_human",
	"sign_off",
	"budget",
	"environment",
	"role_error",
	"corrupt_session",
];

test.each(SIDED)("%s offers both sides and a directive, no bare yes", (trigger) => {
	expect(choicesFor(trigger)).toEqual(["take_developer", "take_reviewer", "directive"]);
	expect(describeChoice(trigger, "continue")).toBe("This question needs a side or a directive.");
});

test.each(YES)("%s offers a yes", (trigger) => {
	expect(choicesFor(trigger)).toEqual(["continue"]);
});

test("each choice of each trigger is described by one sentence", () => {
	for (const trigger of [...SIDED, ...YES])
		for (const choice of [...choicesFor(trigger), "reject" as const])
			expect(describeChoice(trigger, choice)).toMatch(/^[A-Z][^.]*\.$/);
});

test("taking the developer's side spares the player a turn, the others grant one", () => {
	expect(describeChoice("conflict", "take_developer")).toContain("without another player turn");
	expect(describeChoice("conflict", "take_reviewer")).toContain("one more turn");
	expect(describeChoice("conflict", "directive")).toContain("one more turn");
});

test("taking the developer's side of a conflict promises no gate while other findings block", () => {
	const effect = describeChoice("conflict", "take_developer");
	expect(effect).toContain("where nothing else blocks");
	expect(effect).toContain("other open blocking findings go back to the player");
	expect(describeChoice("conflict", "reject")).toBe(describeChoice("escalation", "reject"));
});

test("where a judge gives no answer the work can go on without it, and not without its player", () => {
	const failed = (role: "player" | "coach" | "verifier") =>
		choicesFor("role_error", { kind: "role_failed", role, agent: "a", why: "it failed" });
	expect(failed("verifier")).toEqual(["continue", "unverified"]);
	expect(failed("coach")).toEqual(["continue", "take_developer"]);
	expect(failed("player")).toEqual(["continue"]);
	const spoilt = (check: string) =>
		choicesFor("environment", {
			...({ kind: "checks_spoilt", of: "turn" } as const),
			checks: [{ check, status: "error", reason: null }],
		});
	expect(spoilt("verification")).toEqual(["continue", "unverified"]);
	expect(spoilt("tests")).toEqual(["continue"]);
});
