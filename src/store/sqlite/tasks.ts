import { canMove } from "../../kernel/task-state.ts";
import type { TaskPatch, TaskRecord } from "../records.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

const codec = rowCodec<TaskRecord>({
	runId: ["run_id", "text"],
	taskId: ["task_id", "text"],
	position: ["position", "number"],
	status: ["status", "text"],
	phase: ["phase", "text"],
	turns: ["turns", "number"],
	success: ["success", "flag"],
	failureReason: ["failure_reason", "text"],
	flags: ["flags", "json"],
	branch: ["branch", "text"],
	startCommit: ["start_commit", "text"],
	commit: ["commit_id", "text"],
	merged: ["merged", "flag"],
	mergedCommit: ["merged_commit", "text"],
	challengerApproved: ["challenger_approved", "flag"],
	gate: ["gate", "json"],
	verification: ["verification", "text"],
	openFindings: ["open_findings", "number"],
	humanItem: ["human_item", "text"],
	startedAt: ["started_at", "text"],
	endedAt: ["ended_at", "text"],
	epoch: ["epoch", "number"],
	bound: ["bound", "number"],
	subtask: ["subtask", "number"],
	subtaskStart: ["subtask_start", "number"],
	confidenceScore: ["confidence_score", "number"],
	confidenceWarnings: ["confidence_warnings", "json"],
	checklist: ["checklist", "json"],
});

export function insertTask(db: Database, task: TaskRecord): void {
	db.run(`INSERT INTO tasks (${codec.list}) VALUES (${codec.marks})`, ...codec.encode(task));
}

/** In dependency order. */
export function selectTasks(db: Database, runId: string): readonly TaskRecord[] {
	return db
		.all(`SELECT ${codec.list} FROM tasks WHERE run_id = ? ORDER BY position`, runId)
		.map(codec.decode);
}

export function selectTask(db: Database, runId: string, taskId: string): TaskRecord | undefined {
	const row = db.get(
		`SELECT ${codec.list} FROM tasks WHERE run_id = ? AND task_id = ?`,
		runId,
		taskId,
	);
	return row && codec.decode(row);
}

/** Changes the fields that the patch holds; a move that `canMove` forbids throws. */
export function updateTask(db: Database, runId: string, taskId: string, patch: TaskPatch): void {
	const task = selectTask(db, runId, taskId);
	if (task === undefined) throw new Error(`task ${taskId} of run ${runId} is not stored`);
	if (patch.status !== undefined && !canMove(task.status, patch.status)) {
		throw new Error(
			`task ${taskId} of run ${runId} may not move from ${task.status} to ${patch.status}`,
		);
	}
	const assigned = codec.assign(patch);
	if (assigned === undefined) return;
	const sql = `UPDATE tasks SET ${assigned.sql} WHERE run_id = ? AND task_id = ?`;
	db.run(sql, ...assigned.values, runId, taskId);
}
