import type { ConflictRecord, FindingConflict } from "../../conflict/conflict.ts";
import type { Write } from "../records.ts";
import { all, change, one, type Query } from "./query.ts";
import { conflictSubjects, conflicts } from "./tables.ts";

const qualified = (table: string, list: string): string =>
	list
		.split(", ")
		.map((column) => `${table}.${column}`)
		.join(", ");

const SELECT = `SELECT ${qualified("c", conflicts.list)}, ${qualified("s", conflictSubjects.list)}, s.paused
	FROM conflict_subjects s JOIN conflicts c ON c.conflict_id = s.conflict_id
	WHERE s.run_id = ? AND s.task_id = ? ORDER BY s.seq`;

/** Stores an attempt. One that is stored already stays as it is. @returns how many were stored: 1 or 0 */
export function* insertConflictRecord(record: ConflictRecord): Query<number> {
	return yield* change(
		`INSERT INTO conflicts (${conflicts.list}) VALUES (${conflicts.marks})
			ON CONFLICT (conflict_id) DO NOTHING`,
		...conflicts.encode(record),
	);
}

/** Stores an attempt and what it is about. One that is stored already stays as it is. */
export function* insertConflict({
	runId,
	record,
	about,
}: Extract<Write, { kind: "conflict" }>): Query<void> {
	const inserted = yield* insertConflictRecord(record);
	if (inserted === 0) return;
	yield* change(
		`INSERT INTO conflict_subjects (run_id, task_id, conflict_id, ${conflictSubjects.list})
			VALUES (?, ?, ?, ${conflictSubjects.marks})`,
		runId,
		record.taskId,
		record.conflictId,
		...conflictSubjects.encode(about),
	);
}

/**
 * Notes that the task pauses because of a conflict.
 *
 * @returns false when that was noted before
 */
export function* markConflictPaused({
	runId,
	conflictId,
}: Extract<Write, { kind: "conflict-paused" }>): Query<boolean> {
	const place = "WHERE conflict_id = ? AND run_id = ?";
	const sql = `UPDATE conflict_subjects SET paused = 1 ${place} AND paused = 0`;
	if ((yield* change(sql, conflictId, runId)) > 0) return true;
	const known = yield* one(`SELECT seq FROM conflict_subjects ${place}`, conflictId, runId);
	if (known === undefined) throw new Error(`conflict ${conflictId} of run ${runId} is not stored`);
	return false;
}

/** In the order they were stored. */
export function* selectConflicts(runId: string, taskId: string): Query<readonly FindingConflict[]> {
	return (yield* all(SELECT, runId, taskId)).map((row) => ({
		...conflicts.decode(row),
		...conflictSubjects.decode(row),
		...(row["paused"] === 1 ? { paused: true } : {}),
	}));
}
