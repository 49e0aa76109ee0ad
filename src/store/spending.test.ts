import { expect, test } from "vitest";
import { NO_SPENDING, spendingOf, totalOf, type UsageTotals } from "./spending.ts";

const used = (part: Partial<UsageTotals>): UsageTotals => ({
	calls: 1,
	unknownCalls: 0,
	costUsd: 0.25,
	inputTokens: 5,
	outputTokens: 2,
	workMs: 10,
	...part,
});

test("tasks are summed, and what nobody knows spoils nothing that is known", () => {
	const unknown = used({ unknownCalls: 1, costUsd: null, inputTokens: null, outputTokens: 1 });
	expect(totalOf([used({}), unknown, used({ calls: 2 })])).toEqual({
		calls: 4,
		unknownCalls: 1,
		costUsd: 0.5,
		inputTokens: 10,
		outputTokens: 5,
		workMs: 30,
	});
});

test("where nothing is known the sum is unknown, not zero", () => {
	expect(totalOf([]).costUsd).toBeNull();
	expect(totalOf([used({ costUsd: null })]).costUsd).toBeNull();
	expect(totalOf([used({ costUsd: 0 })]).costUsd).toBe(0);
});

test("a sum of cents is what a person would write", () => {
	expect(totalOf([used({ costUsd: 0.1 }), used({ costUsd: 0.2 })]).costUsd).toBe(0.3);
});

test("a task that has used nothing has a row of its own kind", () => {
	expect(spendingOf(NO_SPENDING, "a")).toMatchObject({ taskId: "a", calls: 0, costUsd: null });
	const task = { ...spendingOf(NO_SPENDING, "b"), calls: 3 };
	expect(spendingOf({ tasks: [task] }, "b")).toBe(task);
});
