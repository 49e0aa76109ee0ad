import { canMove } from "../../kernel/task-state.ts";
import type { TaskPatch, TaskRecord } from "../records.ts";
import { all, announce, change, locked, one, type Query } from "./query.ts";
import { tasks as codec } from "./tables.ts";

const SELECT = `SELECT ${codec.list} FROM tasks WHERE run_id = ? AND task_id = ?`;

export function* insertTask(task: TaskRecord): Query<void> {
	yield* change(`INSERT INTO tasks (${codec.list}) VALUES (${codec.marks})`, ...codec.encode(task));
}

/** In dependency order. */
export function* selectTasks(runId: string): Query<readonly TaskRecord[]> {
	const sql = `SELECT ${codec.list} FROM tasks WHERE run_id = ? ORDER BY position`;
	return (yield* all(sql, runId)).map(codec.decode);
}

export function* selectTask(runId: string, taskId: string): Query<TaskRecord | undefined> {
	const row = yield* one(SELECT, runId, taskId);
	return row && codec.decode(row);
}

/** In dependency order. */
export function* selectMergedCommits(runId: string): Query<readonly string[]> {
	const rows = yield* all(
		"SELECT merged_commit FROM tasks WHERE run_id = ? AND merged_commit IS NOT NULL ORDER BY position",
		runId,
	);
	return rows.map(({ merged_commit }) => String(merged_commit));
}

export function* updateTask(runId: string, taskId: string, patch: TaskPatch): Query<void> {
	// Locked: the holder of the run may move a task that another process works on.
	const row = yield* one(locked(SELECT), runId, taskId);
	if (row === undefined) throw new Error(`task ${taskId} of run ${runId} is not stored`);
	const { status } = codec.decode(row);
	if (patch.status !== undefined && !canMove(status, patch.status)) {
		throw new Error(
			`task ${taskId} of run ${runId} may not move from ${status} to ${patch.status}`,
		);
	}
	const assigned = codec.assign(patch);
	if (assigned === undefined) return;
	const sql = `UPDATE tasks SET ${assigned.sql} WHERE run_id = ? AND task_id = ?`;
	yield* change(sql, ...assigned.values, runId, taskId);
	if (isScheduled(patch)) yield* announce(runId);
}

const isScheduled = ({ status, merged, humanItem }: TaskPatch): boolean =>
	status !== undefined || merged !== undefined || humanItem !== undefined;
