import { expect, test } from "vitest";
import { type ReportedTask, taskResult } from "./task-result.ts";

function task(patch: Partial<ReportedTask>): ReportedTask {
	return {
		status: "pending",
		turns: 0,
		failure_reason: null,
		human_item: null,
		human_item_answered: false,
		trace_path: "t.json",
		...patch,
	};
}

const NONE = { dependsOn: () => [], stopped: new Map() };
const resultOf = (patch: Partial<ReportedTask>) =>
	taskResult("a", { ...NONE, tasks: { a: task(patch) } });

test("a completed task is a success without a reason", () => {
	expect(resultOf({ status: "completed", turns: 2, failure_reason: null })).toEqual({
		taskId: "a",
		success: true,
		turns: 2,
		failureReason: null,
		tracePath: "t.json",
	});
});

test("one that failed or is blocked says why, one that was cancelled that it was", () => {
	const reason = "depends on b, which is failed";
	expect(resultOf({ status: "failed", failure_reason: reason })).toMatchObject({
		success: false,
		failureReason: reason,
	});
	expect(resultOf({ status: "blocked", failure_reason: reason }).failureReason).toBe(reason);
	expect(resultOf({ status: "cancelled" })).toMatchObject({
		success: false,
		failureReason: "Cancelled",
	});
});

test("one that waits for a person is neither, and names the question", () => {
	expect(resultOf({ status: "paused_for_human", human_item: "q1" })).toMatchObject({
		success: null,
		failureReason: "Escalated for human review: question q1",
	});
});

test("one that could not begin names those that it waits for", () => {
	const tasks = {
		a: task({}),
		b: task({ status: "paused_for_human" }),
		c: task({ status: "completed" }),
	};
	const on = (ids: readonly string[]) => ({
		...NONE,
		tasks,
		dependsOn: (id: string) => (id === "a" ? ids : []),
	});
	expect(taskResult("a", on(["b", "c"]))).toMatchObject({
		success: null,
		failureReason: "Not begun: waits for b",
	});
	expect(taskResult("a", on(["c"])).failureReason).toBe("Not begun");
});

test("one that was interrupted is neither", () => {
	expect(resultOf({ status: "needs_rework", turns: 1 })).toMatchObject({
		success: null,
		failureReason: "Interrupted; resume takes it on",
	});
});

test("one that an error stopped has failed, and so has what depends on it, however far", () => {
	const before: Readonly<Record<string, readonly string[]>> = { c: ["b"], b: ["a"] };
	const all = {
		tasks: { a: task({ status: "running", turns: 1 }), b: task({}), c: task({}) },
		dependsOn: (id: string) => before[id] ?? [],
		stopped: new Map([["a", new Error("the branch was moved")]]),
	};
	const results = ["a", "b", "c"].map((id) => taskResult(id, all));
	expect(results.map(({ success }) => success)).toEqual([false, false, false]);
	expect(results.map(({ failureReason }) => failureReason)).toEqual([
		"Stopped: the branch was moved",
		"depends on a, which an error stopped",
		"depends on a, which an error stopped",
	]);
});

test("a task whose question is answered waits for nobody: a resume takes it on", () => {
	const paused = { status: "paused_for_human", human_item: "h1" } as const;
	expect(resultOf({ ...paused, human_item_answered: true })).toMatchObject({
		success: null,
		failureReason: "Answered, goes on when resumed: question h1",
	});
	expect(resultOf(paused).failureReason).toBe("Escalated for human review: question h1");
});
