import fc from "fast-check";
import { expect, test } from "vitest";
import { dependencyOrder, findCycles, withDependencies } from "./order.ts";

const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });

test("a task comes after those it depends on, else the list decides", () => {
	expect(dependencyOrder([task("a", "c"), task("b"), task("c")])).toEqual(["b", "c", "a"]);
	expect(dependencyOrder([task("b"), task("a")])).toEqual(["b", "a"]);
});

test("a dependency outside the list counts as done", () => {
	expect(dependencyOrder([task("a", "gone")])).toEqual(["a"]);
});

test("a cycle is broken at its first task in the list", () => {
	expect(dependencyOrder([task("c", "a"), task("a", "b"), task("b", "a")])).toEqual([
		"c",
		"a",
		"b",
	]);
});

test("the order of any acyclic graph has each task once, after its dependencies", () => {
	const graphs = fc
		.array(fc.array(fc.nat(20)), { maxLength: 20 })
		.map((lists) =>
			lists.map((list, index) =>
				task(`t${index}`, ...list.filter((n) => n < index).map((n) => `t${n}`)),
			),
		);
	fc.assert(
		fc.property(graphs, (tasks) => {
			const order = dependencyOrder(tasks.toReversed());
			expect([...order].sort()).toEqual(tasks.map(({ id }) => id).sort());
			for (const { id, dependsOn } of tasks)
				for (const needed of dependsOn)
					expect(order.indexOf(needed)).toBeLessThan(order.indexOf(id));
			expect(findCycles(new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn])))).toEqual([]);
		}),
	);
});

test("named tasks bring all that they depend on, in the order of the list", () => {
	const tasks = [task("a", "b"), task("b", "c"), task("c"), task("d")];
	expect(withDependencies(tasks, ["a"]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
	expect(withDependencies([task("a", "gone")], ["a"])).toEqual([task("a", "gone")]);
});

test("an unknown task id is a fault with the near one as hint", () => {
	const call = () => withDependencies([task("limiter")], ["limitr"]);
	expect(call).toThrow(
		expect.objectContaining({
			code: "task-not-found",
			message: 'no task "limitr" in this workflow',
			hint: 'did you mean "limiter"?',
		}),
	);
	expect(() => withDependencies([], ["x"])).toThrow(expect.objectContaining({ hint: undefined }));
});

test("cycles are named once each", () => {
	const graph = new Map([
		["x", ["a"]],
		["a", ["b"]],
		["b", ["c", "gone"]],
		["c", ["a"]],
		["s", ["s"]],
	]);
	expect(findCycles(graph)).toEqual([["a", "b", "c"], ["s"]]);
});

test("a chain of 20,000 tasks exhausts no stack", () => {
	const graph = new Map(Array.from({ length: 20_000 }, (_, n) => [`t${n}`, [`t${n + 1}`]]));
	expect(findCycles(graph)).toEqual([]);
});
