export interface TaskNode {
	readonly id: string;
	readonly depends_on: readonly string[];
}

export interface PlacedTask {
	readonly id: string;
	readonly column: number;
	readonly row: number;
}

export interface TaskLayout {
	readonly placed: ReadonlyMap<string, PlacedTask>;
	readonly edges: readonly { readonly from: PlacedTask; readonly to: PlacedTask }[];
	readonly columns: number;
	readonly rows: number;
}

/** Column of each task. A name that no task has is no dependency; a circle, which no workflow can have, is cut. */
function columnsOf(tasks: readonly TaskNode[]): ReadonlyMap<string, number> {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const columns = new Map<string, number>();
	const columnOf = (task: TaskNode, above: ReadonlySet<string>): number => {
		const known = columns.get(task.id);
		if (known !== undefined) return known;
		const path = new Set([...above, task.id]);
		const before = task.depends_on
			.filter((id) => !path.has(id))
			.flatMap((id) => byId.get(id) ?? [])
			.map((dependency) => columnOf(dependency, path) + 1);
		const column = Math.max(0, ...before);
		columns.set(task.id, column);
		return column;
	};
	for (const task of tasks) columnOf(task, new Set());
	return columns;
}

function pull(task: TaskNode, placed: ReadonlyMap<string, PlacedTask>): number {
	const rows = task.depends_on.flatMap((id) => placed.get(id)?.row ?? []);
	return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/**
 * Lays out the tasks of a run from left to right: each stands to the right of all that it depends on, near their rows.
 *
 * `a`, and `b` and `c` after it: a at column 0, b and c at column 1 in rows 0 and 1.
 */
export function layoutTasks(tasks: readonly TaskNode[]): TaskLayout {
	const columns = columnsOf(tasks);
	const placed = new Map<string, PlacedTask>();
	const width = Math.max(0, ...columns.values()) + 1;
	let rows = 0;
	for (let column = 0; column < width; column += 1) {
		const here = tasks.filter(({ id }) => columns.get(id) === column);
		const ordered = here
			.map((task, index) => ({ task, index, pull: pull(task, placed) }))
			.sort((one, other) => one.pull - other.pull || one.index - other.index);
		for (const [row, { task }] of ordered.entries())
			placed.set(task.id, { id: task.id, column, row });
		rows = Math.max(rows, ordered.length);
	}
	const edges = tasks.flatMap((task) => {
		const to = placed.get(task.id);
		return task.depends_on.flatMap((id) => {
			const from = placed.get(id);
			return from === undefined || to === undefined ? [] : [{ from, to }];
		});
	});
	return { placed, edges, columns: tasks.length === 0 ? 0 : width, rows };
}
