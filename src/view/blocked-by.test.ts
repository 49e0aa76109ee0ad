import { expect, test } from "vitest";
import { task } from "../store/record-builders.contract.ts";
import { blockersOf } from "./run-report.ts";

const failed = task({ taskId: "a", status: "failed" });
const blocked = (taskId: string) => task({ taskId, status: "blocked" });
const NEEDS: Readonly<Record<string, readonly string[]>> = {
	b: ["done", "a"],
	c: ["b"],
	d: ["c"],
};
const needs = (id: string): readonly string[] => NEEDS[id] ?? [];

test("a blocked task names the task that failed, through a chain of any length the first cause", () => {
	const done = task({ taskId: "done", status: "completed", merged: true });
	const tasks = [done, failed, blocked("b"), blocked("c"), blocked("d")];
	expect(Object.fromEntries(blockersOf(tasks, needs))).toEqual({
		b: { task: "a", through: null },
		c: { task: "a", through: "b" },
		d: { task: "a", through: "c" },
	});
});

test("work that completed and was not merged blocks too, and what is not blocked is left out", () => {
	const unmerged = task({ taskId: "a", status: "completed", merged: false });
	const waits = task({ taskId: "c", status: "pending" });
	expect(Object.fromEntries(blockersOf([unmerged, blocked("b"), waits], needs))).toEqual({
		b: { task: "a", through: null },
	});
});

test("a review, which has nothing to merge, is not named where another dependency failed", () => {
	const review = task({ taskId: "done", status: "completed", merged: false });
	expect(blockersOf([review, failed, blocked("b")], needs).get("b")?.task).toBe("a");
});

test("a chain of 2,000 tasks is followed in one pass", () => {
	const chain = Array.from({ length: 2_000 }, (_, nth) => blocked(`t${nth + 1}`));
	const first = task({ taskId: "t0", status: "failed" });
	const found = blockersOf([first, ...chain], (id) => [`t${Number(id.slice(1)) - 1}`]);
	expect(found.get("t2000")).toEqual({ task: "t0", through: "t1999" });
});
