import { expect, test } from "vitest";
import { runReport, taskReport } from "../fakes.contract.ts";
import { nextLine, nextSteps } from "./next-steps.ts";

const after = (...tasks: readonly Parameters<typeof taskReport>[0][]): string =>
	nextSteps({
		...runReport(),
		status: "failed",
		tasks: Object.fromEntries(
			tasks.map((task, nth) => [`t${nth}`, taskReport({ status: "failed", ...task })]),
		),
	});

const paused = (...tasks: readonly Parameters<typeof taskReport>[0][]): string =>
	nextSteps({
		...runReport("paused_for_user_escalation"),
		tasks: Object.fromEntries(
			tasks.map((task, nth) => [
				`t${nth}`,
				taskReport({ status: "paused_for_human", merged: false, ...task }),
			]),
		),
	});

test("an answered question is not shown again: the run is to be resumed", () => {
	const answered = { human_item: "H1", human_item_answered: true };
	expect(paused(answered)).toBe("  spar resume r1  go on with the answer");
	const steps = paused(answered, { human_item: "H2" });
	expect(steps).not.toContain("spar questions H1");
	expect(steps).toContain("spar questions H2");
	expect(steps).toContain("continue after the answer");
	const many = paused(answered, answered, answered, answered, { human_item: "H2" });
	expect(many).not.toContain("spar questions H1");
	expect(many).toContain("spar questions H2");
});

test("where machines share a store an answer is enough, if a worker runs", () => {
	const task = taskReport({ status: "paused_for_human", human_item: "H1" });
	const report = { ...runReport("paused_for_user_escalation"), shared: true as const };
	const stepsOf = (answered: boolean): string =>
		nextSteps({ ...report, tasks: { t: { ...task, human_item_answered: answered } } });
	expect(stepsOf(false)).toContain("continue after the answer here, if no worker runs");
	expect(stepsOf(true)).toContain("go on with the answer here, if no worker runs");
});

test("failed tasks are reopened with more turns", () => {
	expect(after({}, { flags: ["budget"] })).toContain("--max-turns N");
});

test("where only the budget stopped them, more turns are no way on: a larger budget is", () => {
	const steps = after({ flags: ["budget"] }, { flags: ["unchecked", "budget"] });
	expect(steps).not.toContain("--max-turns");
	expect(steps).toContain("begin again, after a larger `budget` in the workflow file");
});

test("a run that a process lands or works on is watched, not landed by hand", () => {
	const completed = {
		...runReport("completed", { merged: true, turns: 1, commit: "c" }),
		holder: "here:1",
	};
	expect(nextSteps(completed)).toContain("  spar watch r1  ");
	expect(nextSteps(completed)).not.toContain("spar land");
	expect(nextSteps({ ...completed, holder: null })).toContain("spar land r1");
});

test("in one line the step that goes on stands first, and a run that was not named needs no id", () => {
	const done = runReport("completed", { merged: true, turns: 1, commit: "c" });
	expect(nextLine(done)).toEqual(["next: spar land    (spar diff, spar trace)"]);
	expect(nextLine(done, "r1")).toEqual([
		"next: spar land r1    (spar diff --run r1, spar trace --run r1)",
	]);
	expect(nextLine({ ...done, pruned: true })).toEqual([]);
	expect(nextLine({ ...done, tasks: {} })).toEqual([]);
	const asks = runReport("paused_for_user_escalation", { human_item: "H1", turns: 1, commit: "c" });
	expect(nextLine(asks)).toEqual(["next: spar questions H1    (spar resume r1)"]);
});
