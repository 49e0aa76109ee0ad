import fc from "fast-check";
import { expect, test } from "vitest";
import { answerFor, conflictsInQuestion } from "./conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "./human-item.ts";

const part: FindingAnswer = {
	...{ choice: "take_developer", directive: null, notes: null },
	answeredAt: "2026-11-22T05:00:00.000Z",
};
const asking = (
	conflicts: unknown,
	parts?: HumanItem["parts"],
): Parameters<typeof conflictsInQuestion>[0] => ({
	...{ trigger: "conflict", context: { conflicts } },
	...(parts === undefined ? {} : { parts }),
});

test("the findings in conflict are told in the item's order, and which of them wait", () => {
	const conflicts = [{ finding: "F2" }, { finding: "F1" }, { finding: "F2" }];
	expect(conflictsInQuestion(asking(conflicts))).toEqual({
		...{ findings: ["F2", "F1"], unanswered: ["F2", "F1"] },
	});
	expect(conflictsInQuestion(asking(conflicts, { F2: part, F9: part }))).toEqual({
		...{ findings: ["F2", "F1"], unanswered: ["F1"] },
	});
	expect(conflictsInQuestion(asking(conflicts, null))?.unanswered).toEqual(["F2", "F1"]);
});

test("an item of another trigger asks about no conflict, whatever its context holds", () => {
	const { context } = asking([{ finding: "F1" }]);
	expect(conflictsInQuestion({ trigger: "escalation", context })).toBeUndefined();
});

test.each([
	undefined,
	null,
	"F1",
	{ finding: "F1" },
	[],
	[null, 7, "F1", ["F1"]],
	[{ finding: 1 }, { finding: "" }, { finding: "f1" }, { finding: "F0" }, { finding: "F1; rm" }],
	[{ finding: "__proto__" }, { finding: "constructor" }],
])("conflicts of the shape %j name none", (conflicts) => {
	expect(conflictsInQuestion(asking(conflicts))).toBeUndefined();
});

test("names that every object has are no answers", () => {
	expect(answerFor({ parts: {} }, "constructor")).toBeUndefined();
	expect(answerFor({}, "F1")).toBeUndefined();
	expect(answerFor({ parts: { F1: part } }, "F1")).toBe(part);
});

test("any JSON is read without a crash, and what waits is asked about", () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.constant(part)), (json, parts) => {
			const read = conflictsInQuestion(asking(json, parts));
			for (const id of read?.unanswered ?? []) expect(read?.findings).toContain(id);
		}),
	);
});
