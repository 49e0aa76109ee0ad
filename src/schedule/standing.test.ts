import { expect, test } from "vitest";
import { run, task } from "../store/record-builders.contract.ts";
import { stoppedBy } from "./readiness.ts";
import { standingOf } from "./standing.ts";

test("a task that an error stopped is not ready, also when it had not begun; the others are", async () => {
	const ids = ["fresh", "stopped", "begun"];
	const tasks = ids.map((taskId, position) =>
		task({ taskId, position, status: taskId === "begun" ? "running" : "pending" }),
	);
	const workflow = { ...run().workflow, maxParallel: 3 };
	const why = stoppedBy(new Error("not a tree object"));
	const records = {
		tasks: async () => tasks,
		item: async () => undefined,
		step: async (key: { readonly taskId: string }) => (key.taskId === "stopped" ? why : null),
	};
	// True because the one step that is asked for holds that.
	const { ready, stopped } = await standingOf(
		records as unknown as Parameters<typeof standingOf>[0],
		"r1",
		workflow,
	);
	expect(ready.map(({ taskId }) => taskId)).toEqual(["begun", "fresh"]);
	expect([...stopped]).toEqual([["stopped", why]]);
});

test("tasks beyond max_parallel are held back: those that were begun go first, and those that wait for others do not count", async () => {
	const statuses = ["pending", "running", "pending", "pending", "completed"] as const;
	const tasks = statuses.map((status, position) =>
		task({ taskId: `t${position}`, position, status }),
	);
	const defined = tasks.map(({ taskId }) => ({
		id: taskId,
		dependsOn: taskId === "t3" ? ["t0"] : [],
	}));
	const records = { tasks: async () => tasks, item: async () => undefined, step: async () => null };
	const workflow = { ...run().workflow, maxParallel: 2, tasks: defined };
	// True because no step is stored, and of a task only this is read.
	const { ready, heldBack } = await standingOf(
		records as unknown as Parameters<typeof standingOf>[0],
		"r1",
		workflow as unknown as Parameters<typeof standingOf>[2],
	);
	expect(ready.map(({ taskId }) => taskId)).toEqual(["t1", "t0"]);
	expect(heldBack.map(({ taskId }) => taskId)).toEqual(["t2"]);
});
