import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConflictAsking, mergeParts } from "./conflicts-in-question.ts";
import type { FindingAnswer } from "./human-item.ts";

const part = (changes: Partial<FindingAnswer> = {}): FindingAnswer => ({
	choice: "take_developer",
	directive: null,
	notes: null,
	answeredAt: "2026-11-22T05:00:00.000Z",
	...changes,
});
const developer = part();
const reviewer = part({ choice: "take_reviewer" });
const told = (directive: string) => part({ choice: "directive", directive });

/** An item about conflicts over F1, F2, ... with these answers. */
function item(
	...answers: readonly (FindingAnswer | null)[]
): Extract<ConflictAsking, { trigger: "conflict" }> {
	const ids = answers.map((_answer, index) => `F${index + 1}`);
	const parts = answers.flatMap((answer, index) =>
		answer === null ? [] : [[`F${index + 1}`, answer] as const],
	);
	return {
		trigger: "conflict",
		context: { conflicts: ids.map((finding) => ({ finding })) },
		parts: Object.fromEntries(parts),
	};
}

test.each([
	["all for the developer", [developer, developer], "take_developer"],
	["one for the reviewer", [developer, reviewer], "take_reviewer"],
	["all for the reviewer", [reviewer, reviewer], "take_reviewer"],
	["a directive beside the developer", [developer, told("x")], "directive"],
	["a directive beside the reviewer", [told("x"), reviewer], "directive"],
] as const)("%s", (_name, answers, choice) => {
	const merged = mergeParts(item(...answers));
	expect(merged?.choice).toBe(choice);
});

test("a directive says which finding it is about where the item asks about several", () => {
	expect(mergeParts(item(told("count from 1")))?.directive).toBe("count from 1");
	expect(mergeParts(item(told("a\nb"), developer, told("c"), told("a\nb")))?.directive).toBe(
		"On F1, F4: a\nb\nOn F3: c",
	);
	expect(mergeParts(item(developer, reviewer))?.directive).toBeNull();
});

test("notes are joined, and the answer is as old as the last of its parts", () => {
	const early = part({ notes: "sound", answeredAt: "2026-11-22T04:00:00.000Z" });
	const late = part({ notes: "so be it", answeredAt: "2026-11-22T06:00:00.000Z" });
	expect(mergeParts(item(early, late))).toEqual({
		choice: "take_developer",
		directive: null,
		reason: null,
		notes: "On F1: sound\nOn F2: so be it",
		answeredAt: "2026-11-22T06:00:00.000Z",
	});
	// The clock was set back in between: the order of the answers counts.
	expect(mergeParts(item(late, early))?.answeredAt).toBe("2026-11-22T04:00:00.000Z");
	expect(mergeParts(item(late))?.notes).toBe("so be it");
});

test("an item is complete only when every conflict has its answer", () => {
	expect(mergeParts(item(null))).toBeNull();
	expect(mergeParts({ ...item(null), parts: null })).toBeNull();
	expect(mergeParts(item(developer, null))).toBeNull();
	expect(mergeParts({ ...item(null), parts: { F2: developer } })).toBeNull();
	expect(mergeParts({ ...item(developer), trigger: "escalation" })).toBeNull();
	expect(mergeParts({ ...item(developer), context: { conflicts: [] } })).toBeNull();
});

test("whatever is answered in whatever order, no finding is taken for the developer by another's answer", () => {
	const answers = fc.constantFrom(developer, reviewer, told("x"), null);
	fc.assert(
		fc.property(fc.array(answers, { minLength: 1, maxLength: 6 }), (given) => {
			const answer = mergeParts(item(...given));
			expect(answer !== null).toBe(!given.includes(null));
			if (answer === null) return;
			const allDeveloper = given.every((one) => one?.choice === "take_developer");
			expect(answer.choice === "take_developer").toBe(allDeveloper);
			expect(answer.directive !== null).toBe(answer.choice === "directive");
		}),
	);
});
