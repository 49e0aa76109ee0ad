import { expect, test } from "vitest";
import { answerFor, type ConflictAsking, conflictsInQuestion } from "./conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "./human-item.ts";

const part: FindingAnswer = {
	choice: "take_developer",
	directive: null,
	notes: null,
	answeredAt: "2026-11-22T05:00:00.000Z",
};
const asking = (
	conflicts: readonly { readonly finding: string }[],
	parts: HumanItem["parts"] = null,
): ConflictAsking => ({ trigger: "conflict", context: { conflicts }, parts });

test("the findings in conflict are told in the item's order, and which of them wait", () => {
	const conflicts = [{ finding: "F2" }, { finding: "F1" }, { finding: "F2" }];
	expect(conflictsInQuestion(asking(conflicts))).toEqual({
		findings: ["F2", "F1"],
		unanswered: ["F2", "F1"],
	});
	expect(conflictsInQuestion(asking(conflicts, { F2: part, F9: part }))).toEqual({
		findings: ["F2", "F1"],
		unanswered: ["F1"],
	});
	expect(conflictsInQuestion(asking(conflicts, null))?.unanswered).toEqual(["F2", "F1"]);
});

test("an item of another trigger, and one that names no conflict, is answered as a whole", () => {
	expect(conflictsInQuestion({ trigger: "escalation" })).toBeUndefined();
	expect(conflictsInQuestion(asking([]))).toBeUndefined();
});

test("names that every object has are no answers", () => {
	expect(answerFor({ parts: {} }, "constructor")).toBeUndefined();
	expect(answerFor({}, "F1")).toBeUndefined();
	expect(answerFor({ parts: { F1: part } }, "F1")).toBe(part);
});
