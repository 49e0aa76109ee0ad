import { expect, test } from "vitest";
import { requireMaxTurns, withMaxParallel, withMaxTurns } from "./run-limits.ts";
import type { Workflow } from "./workflow.ts";

// Only what is read here matters of a workflow.
const workflow = {
	tasks: [
		{ id: "alone", bound: 10 },
		{ id: "paired", bound: 3, pair: { maxIterations: 3 } },
	],
} as unknown as Workflow;

test("a given number of turns replaces the file's, and a pair's smaller bound still counts", () => {
	const { tasks } = withMaxTurns(workflow, 8);
	expect(tasks.map(({ id, maxTurns, bound }) => [id, maxTurns, bound])).toEqual([
		["alone", 8, 8],
		["paired", 8, 3],
	]);
});

test("without a number the file's count", () => {
	expect(withMaxTurns(workflow, undefined)).toBe(workflow);
});

test.each([1, 1_000_000])("%d turns can be given", (turns) => {
	expect(() => requireMaxTurns(turns)).not.toThrow();
});

test.each([0, -1, 1.5, 1_000_001, Number.NaN])("%d turns are refused, with the range", (turns) => {
	expect(() => withMaxTurns(workflow, turns)).toThrow(
		expect.objectContaining({
			code: "usage",
			hint: "Give maxTurns a whole number from 1 to 1,000,000.",
		}),
	);
});

const parallel = { name: "w", maxParallel: 2 } as Workflow;

test("a given number of tasks at once replaces the file's, and none leaves it", () => {
	expect(withMaxParallel(parallel, 8)).toEqual({ name: "w", maxParallel: 8 });
	expect(withMaxParallel(parallel, undefined)).toBe(parallel);
	expect([1, 256].map((most) => withMaxParallel(parallel, most).maxParallel)).toEqual([1, 256]);
});

test.each([0, -1, 1.5, 257, Number.NaN])("%d tasks at once are refused, with the range", (most) => {
	expect(() => withMaxParallel(parallel, most)).toThrow(
		expect.objectContaining({
			code: "usage",
			hint: "Give maxParallel a whole number from 1 to 256.",
		}),
	);
});
