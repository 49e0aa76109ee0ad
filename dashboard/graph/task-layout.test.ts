import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutTasks } from "./task-layout.ts";

const task = (id: string, ...dependencies: readonly string[]) => ({ id, depends_on: dependencies });

const places = (tasks: Parameters<typeof layoutTasks>[0]): Record<string, readonly number[]> =>
	Object.fromEntries(
		[...layoutTasks(tasks).placed].map(([id, { column, row }]) => [id, [column, row]]),
	);

test("a task stands to the right of all that it depends on", () => {
	expect(places([task("d", "b", "c"), task("c", "a"), task("b", "a"), task("a")])).toEqual({
		a: [0, 0],
		c: [1, 0],
		b: [1, 1],
		d: [2, 0],
	});
});

test("the longest chain decides the column", () => {
	expect(places([task("a"), task("b", "a"), task("c", "a", "b")])).toMatchObject({ c: [2, 0] });
});

test("tasks of a column stand near what they depend on", () => {
	const placed = places([task("a"), task("b"), task("y", "b"), task("x", "a")]);
	expect(placed).toMatchObject({ x: [1, 0], y: [1, 1] });
});

test("an unknown dependency and a circle are drawn as far as they go", () => {
	expect(places([task("a", "gone")])).toEqual({ a: [0, 0] });
	expect(Object.keys(places([task("a", "b"), task("b", "a")])).sort()).toEqual(["a", "b"]);
});

test("no tasks need no room", () => {
	expect(layoutTasks([])).toMatchObject({ columns: 0, rows: 0, edges: [] });
});

test("no two tasks share a place, and every edge leads to the right", () => {
	const plans = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 40 });
	fc.assert(
		fc.property(plans, (plan) => {
			const tasks = plan.map((before, index) =>
				task(`t${index}`, ...new Set(before.filter((id) => id < index).map((id) => `t${id}`))),
			);
			const { placed, edges } = layoutTasks(tasks);
			expect(new Set([...placed.values()].map(({ column, row }) => `${column}/${row}`)).size).toBe(
				tasks.length,
			);
			for (const { from, to } of edges) expect(from.column).toBeLessThan(to.column);
		}),
	);
});
