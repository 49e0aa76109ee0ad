import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";

interface Dependent {
	readonly id: string;
	readonly dependsOn: readonly string[];
}

/**
 * Ids of the tasks so that each stands after those it depends on; among ready ones the order of the list decides.
 * Dependencies that are not in the list count as done.
 */
export function dependencyOrder(tasks: readonly Dependent[]): string[] {
	const waiting = new Map(tasks.map((task) => [task.id, task]));
	const order: string[] = [];
	const isReady = (task: Dependent): boolean =>
		task.dependsOn.every((id) => id === task.id || !waiting.has(id));
	for (;;) {
		const next = [...waiting.values()].find(isReady) ?? waiting.values().next().value;
		if (next === undefined) return order;
		order.push(next.id);
		waiting.delete(next.id);
	}
}

/** The named tasks and all that they depend on, in the order of the list. Throws `task-not-found` for an unknown id. */
export function withDependencies<T extends Dependent>(
	tasks: readonly T[],
	ids: readonly string[],
): T[] {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const unknown = ids.find((id) => !byId.has(id));
	if (unknown !== undefined) throw unknownTask(unknown, [...byId.keys()]);
	const wanted = new Set(ids);
	// A set that grows while it is walked: each task is visited once, however deep the graph.
	for (const id of wanted) for (const needed of byId.get(id)?.dependsOn ?? []) wanted.add(needed);
	return tasks.filter(({ id }) => wanted.has(id));
}

function unknownTask(id: string, known: readonly string[]): Fault {
	return new Fault(`no task ${quote(id)} in this workflow`, {
		code: "task-not-found",
		hint: suggestion(id, known),
	});
}

/**
 * Cycles among dependencies, each as the ids on it. Fixing one may reveal another. `new Map([["a", ["b"]], ["b",
 * ["a"]]])` gives `[["a", "b"]]`.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
	const done = new Set<string>();
	return [...graph.keys()].flatMap((start) => cyclesFrom(start, graph, done));
}

/** Depth first with a stack of its own: a chain of thousands must not end the process. */
function cyclesFrom(
	start: string,
	graph: ReadonlyMap<string, readonly string[]>,
	done: Set<string>,
): string[][] {
	const cycles: string[][] = [];
	const path = new Set<string>();
	const todo: { readonly id: string; readonly isLeaving: boolean }[] = [
		{ id: start, isLeaving: false },
	];
	for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
		const { id, isLeaving } = step;
		if (isLeaving) {
			path.delete(id);
			done.add(id);
		} else if (path.has(id)) {
			const ids = [...path];
			cycles.push(ids.slice(ids.indexOf(id)));
		} else if (!done.has(id)) {
			path.add(id);
			todo.push({ id, isLeaving: true });
			const next = [...(graph.get(id) ?? [])].reverse();
			for (const each of next) todo.push({ id: each, isLeaving: false });
		}
	}
	return cycles;
}
