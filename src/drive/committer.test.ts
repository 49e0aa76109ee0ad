import { expect, test } from "vitest";
import { timeKeeper } from "./committer.ts";

test("each millisecond is given out once, to the run and to the tasks under work", () => {
	let now = 1_000;
	const keeper = timeKeeper("r1", () => now);
	now += 10;
	keeper.begin("a");
	now += 20;
	keeper.begin("b");
	expect(keeper.take()).toEqual({ kind: "time", runId: "r1", heldMs: 30, tasks: { a: 20 } });
	now += 5;
	keeper.end("a");
	now += 7;
	expect(keeper.take()).toEqual({
		kind: "time",
		runId: "r1",
		heldMs: 12,
		tasks: { a: 5, b: 12 },
	});
	expect(keeper.take()).toEqual({
		kind: "time",
		runId: "r1",
		heldMs: 0,
		tasks: {},
	});
});

test("less than was asked for is kept for the next one", () => {
	let now = 1_000;
	const keeper = timeKeeper("r1", () => now);
	keeper.begin("a");
	now += 49;
	expect(keeper.take(50)).toBeNull();
	now += 1;
	expect(keeper.take(50)).toEqual({ kind: "time", runId: "r1", heldMs: 50, tasks: { a: 50 } });
	expect(keeper.take(50)).toBeNull();
	expect(keeper.take()?.heldMs).toBe(0);
});

test("a clock that goes back takes nothing away", () => {
	let now = 1_000;
	const keeper = timeKeeper("r1", () => now);
	now = 400;
	expect(keeper.take()?.heldMs).toBe(0);
	now = 1_010;
	expect(keeper.take()?.heldMs).toBe(10);
});

test("by itself it measures real time", () => {
	const heldMs = timeKeeper("r1").take()?.heldMs;
	expect(heldMs).toBeGreaterThanOrEqual(0);
	expect(heldMs).toBeLessThan(1_000);
});
