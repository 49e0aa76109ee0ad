import { expect, test } from "vitest";
import { runReport, taskReport } from "./fakes.contract.ts";
import { nextSteps } from "./next-steps.ts";

const after = (...tasks: readonly Parameters<typeof taskReport>[0][]): string =>
	nextSteps({
		...runReport(),
		status: "failed",
		tasks: Object.fromEntries(
			tasks.map((task, nth) => [`t${nth}`, taskReport({ status: "failed", ...task })]),
		),
	});

test("failed tasks are reopened with more turns", () => {
	expect(after({}, { flags: ["budget"] })).toContain("--max-turns N");
});

test("where only the budget stopped them, more turns are no way on: a larger budget is", () => {
	const steps = after({ flags: ["budget"] }, { flags: ["unchecked", "budget"] });
	expect(steps).not.toContain("--max-turns");
	expect(steps).toContain("begin again, after a larger `budget` in the workflow file");
});
