import { expect, test } from "vitest";
import type { Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import { resumeWrites } from "./resume-run.ts";

const task = (taskId: string, patch: Partial<TaskRecord>): TaskRecord => ({
	runId: "r1",
	taskId,
	position: 0,
	status: "failed",
	phase: "failed",
	turns: 2,
	success: false,
	failureReason: "Max turns (2) reached",
	flags: ["loop_exhausted"],
	branch: taskId,
	startCommit: "c0",
	commit: "c2",
	merged: false,
	mergedCommit: null,
	challengerApproved: false,
	gate: null,
	verification: null,
	openFindings: 1,
	humanItem: null,
	startedAt: null,
	endedAt: "t",
	epoch: 1,
	bound: 2,
	subtask: 0,
	subtaskStart: 0,
	confidenceScore: null,
	confidenceWarnings: [],
	checklist: [],
	...patch,
});

// Only what is read here matters of a run.
const run = (status: RunRecord["status"]) => ({ runId: "r1", status }) as RunRecord;
const records = (...tasks: TaskRecord[]) => ({ tasks: async () => tasks }) as unknown as Records;

const patches = (writes: readonly Write[]) =>
	Object.fromEntries(
		writes.flatMap((write) => (write.kind === "task" ? [[write.taskId, write.patch]] : [])),
	);

test("failed tasks are reopened from their last commit, and those that they blocked wait again", async () => {
	const all = records(
		task("a", {}),
		task("b", { status: "blocked", turns: 0 }),
		task("c", { status: "completed" }),
	);
	const writes = await resumeWrites(all, run("failed"), { maxTurns: 4, owner: "h:1" });
	expect(patches(writes)).toMatchObject({
		a: { status: "running", epoch: 2, bound: 4, failureReason: null, flags: [] },
		b: { status: "pending", bound: 4 },
	});
	expect(patches(writes)["c"]).toBeUndefined();
	expect(writes.flatMap((write) => (write.kind === "event" ? [write.event] : []))).toMatchObject([
		{ type: "task-reopened", task: "a", data: { bound: 4 } },
		{ type: "run-resumed" },
	]);
});

test("a bound that a failed task has used up already is refused, with one that would do", async () => {
	const resumed = resumeWrites(records(task("a", {})), run("failed"), {
		maxTurns: 2,
		owner: "h:1",
	});
	await expect(resumed).rejects.toMatchObject({
		code: "usage",
		hint: expect.stringContaining("--max-turns 3") as unknown,
	});
});

test.each(["completed", "cancelled", "failed"] as const)(
	"a run that ended as %s has nothing to go on with",
	async (status) => {
		const resumed = resumeWrites(records(task("a", {})), run(status), {
			maxTurns: undefined,
			owner: "h:1",
		});
		await expect(resumed).rejects.toMatchObject({ code: "run-not-resumable" });
	},
);

test("a run under way goes on as it is", async () => {
	const all = records(task("a", { status: "running" }));
	const writes = await resumeWrites(all, run("running"), { maxTurns: undefined, owner: "h:1" });
	expect(patches(writes)).toEqual({});
	expect(writes[0]).toMatchObject({ kind: "run", patch: { status: "running" } });
});

test.each([0, 2.5])("%d turns reopen nothing", async (maxTurns) => {
	const all = records(task("a", { turns: 0 }));
	await expect(resumeWrites(all, run("failed"), { maxTurns, owner: "h:1" })).rejects.toMatchObject({
		code: "usage",
	});
});
