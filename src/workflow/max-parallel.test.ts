import { expect, test } from "vitest";
import { withMaxParallel } from "./max-parallel.ts";
import type { Workflow } from "./workflow.ts";

// Only what is read here matters of a workflow.
const workflow = { name: "w", maxParallel: 2 } as Workflow;

test("a given number of tasks at once replaces the file's, and none leaves it", () => {
	expect(withMaxParallel(workflow, 8)).toEqual({ name: "w", maxParallel: 8 });
	expect(withMaxParallel(workflow, undefined)).toBe(workflow);
	expect([1, 256].map((most) => withMaxParallel(workflow, most).maxParallel)).toEqual([1, 256]);
});

test.each([0, -1, 1.5, 257, Number.NaN])("%d tasks at once are refused, with the range", (most) => {
	expect(() => withMaxParallel(workflow, most)).toThrow(
		expect.objectContaining({
			code: "usage",
			hint: "Give maxParallel a whole number from 1 to 256.",
		}),
	);
});
