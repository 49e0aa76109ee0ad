import { beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { Fault } from "../kernel/fault.ts";
import { item, run, task } from "../store/record-builders.contract.ts";
import type { Records, TaskRecord, Write } from "../store/records.ts";
import type { TraceEvent } from "../trace/event.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { runSchedule, type ScheduleContext, type ScheduledTask } from "./run-schedule.ts";

const RUN = run().runId;

/** A task under way: how many work, and how it goes on. */
interface Work extends ScheduledTask {
	readonly done: (patch?: Partial<TaskRecord>) => void;
	readonly fail: (error: unknown) => void;
}

let tasks: Map<string, TaskRecord>;
let begun: Work[];
let stopped: string[];
let answered: boolean;
let readsOfAll: number;
let unreadable: Error | null;
let unwritable: Error | null;
let told: TraceEvent[];
beforeEach(() => {
	tasks = new Map();
	begun = [];
	stopped = [];
	answered = false;
	readsOfAll = 0;
	unreadable = null;
	unwritable = null;
	told = [];
});

const workflowOf = (
	edges: Readonly<Record<string, readonly string[]>>,
	maxParallel: number,
): Workflow => {
	const { workflow } = run();
	const definitions = Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn }));
	return { ...workflow, maxParallel, tasks: definitions as unknown as Workflow["tasks"] };
};

function begin(edges: Readonly<Record<string, readonly string[]>>, maxParallel = 2) {
	Object.keys(edges).forEach((taskId, position) => {
		tasks.set(
			taskId,
			task({ taskId, position, status: "pending", merged: false, ...tasks.get(taskId) }),
		);
	});
	const stop = new AbortController();
	const records: Pick<Records, "tasks" | "task" | "item"> = {
		tasks: () => {
			readsOfAll += 1;
			return Promise.resolve([...tasks.values()]);
		},
		task: (_run, taskId) => Promise.resolve(tasks.get(taskId)),
		item: () =>
			unreadable === null
				? Promise.resolve(item({ status: answered ? "RESOLVED" : "PENDING" }))
				: Promise.reject(unreadable),
	};
	const context: ScheduleContext = {
		runId: RUN,
		workflow: workflowOf(edges, maxParallel),
		records: records as Records,
		commit: (writes) => {
			if (unwritable !== null) return Promise.reject(unwritable);
			told.push(...writes.flatMap((write) => (write.kind === "event" ? [write.event] : [])));
			return Promise.resolve(writes.forEach(patchTask));
		},
		runTask: (scheduled) =>
			new Promise((resolve, reject) => {
				stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
				const done = (patch: Partial<TaskRecord> = { status: "completed", merged: true }): void => {
					change(scheduled.taskId, patch);
					resolve();
				};
				begun.push({ ...scheduled, done, fail: reject });
			}),
		pause: () => new Promise((resolve) => setImmediate(resolve)),
		stop: (reason) => stop.abort(reason),
		onStopped: (taskId) => stopped.push(taskId),
		signal: stop.signal,
	};
	const end = runSchedule(context);
	end.catch(() => undefined);
	return { end, abort: (reason: unknown) => stop.abort(reason) };
}

function change(taskId: string, patch: Partial<TaskRecord>): void {
	const before = tasks.get(taskId);
	if (before !== undefined) tasks.set(taskId, { ...before, ...patch });
}

const patchTask = (write: Write): void => {
	if (write.kind === "task") change(write.taskId, write.patch);
};

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const names = (): string[] => begun.map(({ taskId }) => taskId);
const work = (taskId: string): Work => {
	const found = begun.find((each) => each.taskId === taskId);
	if (found === undefined) throw new Error(`${taskId} has not begun`);
	return found;
};

test("as many tasks as allowed work at once, in their order, and the next begins where one ends", async () => {
	const { end } = begin({ a: [], b: [], c: [], d: [] }, 3);
	await settled();
	expect(names()).toEqual(["a", "b", "c"]);
	work("b").done();
	await settled();
	expect(names()).toEqual(["a", "b", "c", "d"]);
	for (const taskId of ["a", "c", "d"]) work(taskId).done();
	await end;
});

test("a slot is given to one task at a time, the lowest free one first", async () => {
	begin({ a: [], b: [], c: [], d: [] }, 2);
	await settled();
	work("a").done();
	await settled();
	work("b").done();
	await settled();
	expect(begun.map(({ taskId, slot }) => `${taskId}${slot}`)).toEqual(["a0", "b1", "c0", "d1"]);
});

test("a task begins when all that it depends on has merged, and beside what it does not depend on", async () => {
	begin({ a: [], b: ["a"], c: [] }, 8);
	await settled();
	expect(names()).toEqual(["a", "c"]);
	work("a").done();
	await settled();
	expect(names()).toEqual(["a", "c", "b"]);
});

test("a failed task blocks its dependants, through each other, and nobody else", async () => {
	const { end } = begin({ a: [], b: ["a"], c: ["b"], d: [] }, 2);
	await settled();
	work("a").done({ status: "failed" });
	await settled();
	expect(tasks.get("b")).toMatchObject({
		status: "blocked",
		failureReason: "depends on a, which is failed",
	});
	expect(tasks.get("c")).toMatchObject({ status: "blocked" });
	work("d").done();
	await end;
	expect(names()).toEqual(["a", "d"]);
});

test("a task that waits for a person leaves its place to others, and goes on once it is answered", async () => {
	const { end } = begin({ a: [], b: [] }, 1);
	await settled();
	work("a").done({ status: "paused_for_human", humanItem: "i1" });
	await settled();
	expect(names()).toEqual(["a", "b"]);
	answered = true;
	await settled();
	work("b").done();
	await settled();
	expect(names()).toEqual(["a", "b", "a"]);
	begun.at(-1)?.done();
	await end;
});

test("a run rests when what is left waits for a person", async () => {
	const { end } = begin({ a: [], b: ["a"] });
	await settled();
	work("a").done({ status: "paused_for_human", humanItem: "i1" });
	await end;
	expect(tasks.get("b")).toMatchObject({ status: "pending" });
});

test("an error stops its own task; the others go on, and then it is thrown", async () => {
	const { end } = begin({ a: [], b: ["a"], c: [] });
	await settled();
	work("a").fail(new Error("broken"));
	await settled();
	expect(stopped).toEqual(["a"]);
	expect(told).toMatchObject([
		{ type: "task-stopped", task: "a", data: { code: null, message: "broken", hint: null } },
	]);
	expect(told).toMatchObject([{ data: { others_go_on: true } }]);
	work("c").done();
	await expect(end).rejects.toThrow("broken");
	// It can be taken up again, and so can what waits for it.
	expect(names()).toEqual(["a", "c"]);
	expect(tasks.get("b")).toMatchObject({ status: "pending" });
});

test("an error that stops the last task that goes on says so: a dependant does not go on", async () => {
	const { end } = begin({ a: [], b: ["a"], c: [] }, 1);
	await settled();
	work("a").fail(new Error("broken"));
	await settled();
	work("c").fail(new Error("broken too"));
	await expect(end).rejects.toThrow("broken");
	const others = told.map(({ data }) => data);
	// The one place was the first task's: the third had not begun yet.
	expect(others).toMatchObject([{ others_go_on: true }, { others_go_on: false }]);
});

test.each(["ref-in-the-way", "push-refused", "remote-unreachable"] as const)(
	"a fault of one task's branch or of the remote that holds it (%s) stops that task only",
	async (code) => {
		const { end } = begin({ a: [], b: [] });
		await settled();
		work("a").fail(new Fault("not moved", { code, hint: "Move it back." }));
		await settled();
		const data = { code, message: "not moved", hint: "Move it back." };
		expect(told).toMatchObject([{ type: "task-stopped", data }]);
		work("b").done();
		await expect(end).rejects.toThrow("not moved");
		expect(stopped).toEqual(["a"]);
	},
);

test("a task that could go on and did not is stopped, not begun without end", async () => {
	const { end } = begin({ a: [], b: [] });
	await settled();
	work("a").done({});
	await settled();
	work("b").done();
	await expect(end).rejects.toMatchObject({ code: "run-not-resumable" });
	await expect(end).rejects.toThrow("task a could go on and did not");
	expect([names(), stopped]).toEqual([["a", "b"], ["a"]]);
});

test("a fault of the whole run ends every task, and nothing works on when it is thrown", async () => {
	const { end } = begin({ a: [], b: [], c: [] }, 2);
	await settled();
	work("a").fail(new Fault("the disk is full", { code: "disk-full" }));
	await expect(end).rejects.toThrow("the disk is full");
	expect(names()).toEqual(["a", "b"]);
	expect(stopped).toEqual([]);
});

test("an error that cannot be stored ends every task: nothing else could be stored either", async () => {
	const { end } = begin({ a: [], b: [] });
	await settled();
	unwritable = new Error("no space");
	work("a").fail(new Error("broken"));
	await expect(end).rejects.toThrow("no space");
});

test("an abort ends every task and begins none", async () => {
	const { end, abort } = begin({ a: [], b: [], c: [] }, 2);
	await settled();
	abort(new Error("cancelled"));
	await expect(end).rejects.toThrow("cancelled");
	expect(names()).toEqual(["a", "b"]);
	expect(stopped).toEqual([]);
});

test("after an interruption, what was about to merge goes first", async () => {
	tasks.set("c", task({ taskId: "c", position: 2, status: "running", phase: "merging" }));
	begin({ a: [], b: [], c: [] }, 2);
	await settled();
	expect(names()).toEqual(["c", "a"]);
});

thorough("two thousand tasks are scheduled, and the list of them is read once", async () => {
	const edges = Object.fromEntries(
		Array.from({ length: 2_000 }, (_, nth) => [`t${nth}`, nth < 20 ? [] : [`t${nth - 20}`]]),
	);
	const { end } = begin(edges, 16);
	let ended = 0;
	while (ended < 2_000) {
		await settled();
		for (const each of begun.slice(ended)) each.done();
		ended = begun.length;
	}
	await end;
	expect(new Set(names()).size).toBe(2_000);
	expect(readsOfAll).toBe(1);
});

test("records that cannot be read end the tasks that are worked on", async () => {
	const { end } = begin({ a: [], b: [] });
	await settled();
	unreadable = new Error("no database");
	work("a").done({ status: "paused_for_human", humanItem: "h1" });
	await expect(end).rejects.toThrow("no database");
	expect(tasks.get("b")?.status).toBe("pending");
});
