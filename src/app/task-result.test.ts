import { expect, test } from "vitest";
import { type ReportedTask, taskResult } from "./task-result.ts";

function task(patch: Partial<ReportedTask>): ReportedTask {
	return {
		status: "pending",
		turns: 0,
		failure_reason: null,
		human_item: null,
		trace_path: "t.json",
		...patch,
	};
}

const resultOf = (patch: Partial<ReportedTask>) => taskResult("a", { a: task(patch) }, []);

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
	expect(taskResult("a", tasks, ["b", "c"])).toMatchObject({
		success: null,
		failureReason: "Not begun: waits for b",
	});
	expect(taskResult("a", tasks, ["c"]).failureReason).toBe("Not begun");
});

test("one that was interrupted is neither", () => {
	expect(resultOf({ status: "needs_rework", turns: 1 })).toMatchObject({
		success: null,
		failureReason: "Interrupted; resume takes it on",
	});
});
