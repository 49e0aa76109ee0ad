import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskStatus } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";
import { obstacleOf, readinessOf, runStatusOf, type ScheduleView } from "./readiness.ts";

function task(taskId: string, patch: Partial<TaskRecord> = {}): TaskRecord {
	return {
		runId: "r1",
		taskId,
		position: 0,
		status: "pending",
		phase: "initializing",
		turns: 0,
		success: null,
		failureReason: null,
		flags: [],
		branch: taskId,
		startCommit: null,
		commit: null,
		merged: false,
		mergedCommit: null,
		challengerApproved: null,
		gate: null,
		verification: null,
		openFindings: 0,
		humanItem: null,
		startedAt: null,
		endedAt: null,
		epoch: 1,
		bound: 3,
		subtask: 0,
		subtaskStart: 0,
		confidenceScore: null,
		confidenceWarnings: [],
		checklist: [],
		...patch,
	};
}

function view(tasks: readonly TaskRecord[], patch: Partial<ScheduleView> = {}): ScheduleView {
	return {
		tasks: new Map(tasks.map((each) => [each.taskId, each])),
		dependsOn: (id) => (id === "b" ? ["a"] : []),
		answered: new Set(),
		merges: true,
		reviews: new Set(),
		...patch,
	};
}

const b = task("b");

test("a task without dependencies is ready", () => {
	expect(readinessOf(task("a"), view([task("a")]))).toBe("ready");
});

test("a task waits for the one that it depends on, and is ready when that has merged", () => {
	for (const status of ["pending", "running", "paused_for_human"] as const) {
		expect(readinessOf(b, view([task("a", { status }), b]))).toBe("waiting");
	}
	expect(readinessOf(b, view([task("a", { status: "completed", merged: true }), b]))).toBe("ready");
});

test.each(["failed", "blocked", "cancelled"] as const)(
	"one that is %s blocks its dependants, with the reason",
	(status) => {
		const all = view([task("a", { status }), b]);
		expect(readinessOf(b, all)).toBe("blocked");
		expect(obstacleOf(b, all)).toBe(`depends on a, which is ${status}`);
	},
);

test("work that completed without being merged cannot be built on, unless nothing is merged at all", () => {
	const done = task("a", { status: "completed" });
	expect(obstacleOf(b, view([done, b]))).toBe("depends on a, which completed but was not merged");
	expect(readinessOf(b, view([done, b], { merges: false }))).toBe("ready");
});

test("a formal review has nothing to merge, and what comes after it can begin", () => {
	const done = task("a", { status: "completed" });
	expect(readinessOf(b, view([done, b], { reviews: new Set(["a"]) }))).toBe("ready");
});

test("a dependency that is not part of the run blocks", () => {
	expect(obstacleOf(b, view([b]))).toBe("depends on a, which is not part of this run");
});

test("a task that waits for a person is ready once its item is answered", () => {
	const paused = task("a", { status: "paused_for_human", humanItem: "i1" });
	expect(readinessOf(paused, view([paused]))).toBe("waiting");
	expect(readinessOf(paused, view([paused], { answered: new Set(["i1"]) }))).toBe("ready");
	const nobody = task("a", { status: "paused_for_human" });
	expect(readinessOf(nobody, view([nobody]))).toBe("waiting");
});

test("one that was interrupted goes on, one that ended does not", () => {
	for (const status of ["running", "needs_rework"] as const) {
		expect(readinessOf(task("a", { status }), view([]))).toBe("ready");
	}
	for (const status of ["completed", "failed", "blocked", "cancelled"] as const) {
		expect(readinessOf(task("a", { status }), view([]))).toBe("ended");
	}
});

const statuses = fc.constantFrom<TaskStatus>(
	"pending",
	"running",
	"needs_rework",
	"paused_for_human",
	"completed",
	"failed",
	"blocked",
	"cancelled",
);

test("a run is completed only when every task is, and waits when any task waits", () => {
	fc.assert(
		fc.property(fc.array(statuses, { minLength: 1 }), (all) => {
			const status = runStatusOf(all);
			expect(status === "completed").toBe(all.every((each) => each === "completed"));
			expect(status === "paused_for_user_escalation").toBe(all.includes("paused_for_human"));
		}),
	);
	expect(runStatusOf(["failed", "cancelled"])).toBe("cancelled");
	expect(runStatusOf(["completed", "blocked"])).toBe("failed");
	expect(runStatusOf(["completed", "pending"])).toBe("running");
});
