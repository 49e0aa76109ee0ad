import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { type BudgetAsking, budgetInQuestion } from "./question.ts";
import { addedBudget, type BudgetRequest } from "./validate-answer.ts";

type Budget = Extract<BudgetAsking, { trigger: "budget" }>["context"]["budget"];
const spentItem = (budget: Budget): BudgetAsking & { readonly id: string } => ({
	id: "h1",
	trigger: "budget",
	context: { budget },
});
const OTHER = { id: "h1", trigger: "environment" } as const;
const MONEY: Budget = { scope: "run", usd: { limit: 1, spent: 1 }, wall: null };
const BOTH: Budget = {
	scope: "task",
	usd: { limit: 1, spent: 1 },
	wall: { limit_ms: 1, spent_ms: 1 },
};

function fault(act: () => unknown): Fault {
	try {
		act();
	} catch (error) {
		if (error instanceof Fault) return error;
	}
	throw new Error("no fault was thrown");
}

test("money and time are added to the budget that the item is about", () => {
	expect(addedBudget(spentItem(MONEY), { addUsd: 0.5 })).toEqual({
		scope: "run",
		usd: 0.5,
		wallMs: 0,
	});
	expect(addedBudget(spentItem(BOTH), { addWall: "30m" })).toEqual({
		scope: "task",
		usd: 0,
		wallMs: 1_800_000,
	});
	expect(addedBudget(spentItem(BOTH), { addUsd: 2, addWall: "90s" })).toEqual({
		scope: "task",
		usd: 2,
		wallMs: 90_000,
	});
});

test("an answer that adds nothing is one to any item", () => {
	expect(addedBudget(spentItem(MONEY), {})).toBeNull();
	expect(addedBudget(OTHER, {})).toBeNull();
});

test.each<[string, ReturnType<typeof spentItem>, BudgetRequest, RegExp]>([
	["another trigger", OTHER, { addUsd: 1 }, /asks about no budget/],
	["an item without a budget", spentItem(null), { addWall: "1h" }, /asks about no budget/],
	["a limit that is not set", spentItem(MONEY), { addWall: "1h" }, /--add-wall has no limit/],
	["no time", spentItem(BOTH), { addWall: "soon" }, /--add-wall soon .* is no duration/],
	["no time at all", spentItem(BOTH), { addWall: "0s" }, /is no duration/],
	...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001].map(
		(addUsd): [string, ReturnType<typeof spentItem>, BudgetRequest, RegExp] => [
			...([`${addUsd} dollars`, spentItem(MONEY), { addUsd }, /above 0 and at most/] as const),
		],
	),
])("%s is refused with a hint", (_name, item, request, message) => {
	const refused = fault(() => addedBudget(item, request));
	expect(refused.code).toBe("answer-invalid");
	expect(refused.message).toMatch(message);
	expect(refused.hint).toMatch(/\S/);
});

test("which limits a spent budget has follows from the question", () => {
	expect(budgetInQuestion(spentItem(MONEY))).toEqual({ scope: "run", usd: true, wall: false });
	expect(budgetInQuestion(spentItem(null))).toBeUndefined();
	expect(budgetInQuestion(OTHER)).toBeUndefined();
});
