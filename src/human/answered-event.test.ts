import { expect, test } from "vitest";
import type { Answer, FindingAnswer, HumanItem } from "./human-item.ts";
import { anItem } from "./item-builder.contract.ts";
import { answeredEvent } from "./validate-answer.ts";

const AT = "2026-11-22T05:00:00.000Z";
const answer = (part: Partial<Answer> = {}): Answer => ({
	...({ choice: "continue", directive: null, notes: null, reason: null, answeredAt: AT } as const),
	...part,
});
const part: FindingAnswer = {
	...({ choice: "take_developer", directive: null, notes: null, answeredAt: AT } as const),
};
const answered = (item: HumanItem, given: Answer): HumanItem => ({
	...item,
	status: "RESOLVED",
	answer: given,
});

test("an answer is told where the task waits, with what was chosen and where", () => {
	const item = anItem({ trigger: "sign_off", context: { turns: 3 } });
	expect(answeredEvent(item, answered(item, answer()), "page")).toEqual({
		...({ type: "item-answered", task: "limiter", turn: 3, node: "await_human" } as const),
		timestamp: AT,
		data: { item: "h1", status: "RESOLVED", choice: "continue", by: "page" },
	});
});

test("what was added to a budget is told with its scope", () => {
	const usd = { limit: 1, spent: 1 };
	const item = anItem({
		trigger: "budget",
		context: { budget: { scope: "run", usd, wall: null } },
	});
	const told = (given: Partial<Answer>) =>
		answeredEvent(item, answered(item, answer(given)), "terminal").data;
	expect(told({ addUsd: 5 })).toMatchObject({ added: { scope: "run", usd: 5, wall_ms: 0 } });
	expect(told({ addWallMs: 9 })).toMatchObject({ added: { scope: "run", usd: 0, wall_ms: 9 } });
	expect(told({})).not.toHaveProperty("added");
	const other = anItem();
	expect(
		answeredEvent(other, answered(other, answer({ addUsd: 5 })), "page").data,
	).not.toHaveProperty("added");
});

test("each answer to one of several conflicts is told with its finding; the last closes the item", () => {
	const conflicts = [{ finding: "F1" }, { finding: "F2" }];
	const item = anItem({ trigger: "conflict", context: { conflicts } });
	const first: HumanItem = { ...item, parts: { F1: part } };
	expect(answeredEvent(item, first, "page").data).toEqual({
		item: "h1",
		status: "PENDING",
		choice: null,
		by: "page",
		findings: { F1: "take_developer" },
	});
	const both: HumanItem = { ...first, parts: { F1: part, F2: { ...part, choice: "directive" } } };
	const last = answered(both, answer({ choice: "directive", directive: "x" }));
	expect(answeredEvent(first, last, "page").data).toEqual({
		item: "h1",
		status: "RESOLVED",
		choice: "directive",
		by: "page",
		findings: { F2: "directive" },
	});
});

test("an item without any answer has none to tell of", () => {
	expect(() => answeredEvent(anItem(), anItem(), "page")).toThrow("no answer");
});
