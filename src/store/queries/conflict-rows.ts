import type { ConflictRecord, ConflictSubject, FindingConflict } from "../../conflict/conflict.ts";
import type { Write } from "../records.ts";
import { all, change, one, type Query } from "./query.ts";
import { rowCodec } from "./row-codec.ts";

const recordCodec = rowCodec<ConflictRecord>({
	conflictId: ["conflict_id", "text"],
	threadId: ["thread_id", "text"],
	taskId: ["task_id", "text"],
	developerVerdict: ["developer_verdict", "text"],
	reviewerVerdict: ["reviewer_verdict", "text"],
	resolution: ["resolution", "text"],
	tieBreakerDecision: ["tie_breaker_decision", "text"],
	rationale: ["rationale", "text"],
	escalationReason: ["escalation_reason", "text"],
	attemptCount: ["attempt_count", "number"],
	resolvedAt: ["resolved_at", "text"],
});

const subjectCodec = rowCodec<ConflictSubject>({
	finding: ["finding_id", "text"],
	turn: ["turn", "number"],
	disputeTurn: ["dispute_turn", "number"],
	tieBreaker: ["tie_breaker", "text"],
});

const qualified = (table: string, list: string): string =>
	list
		.split(", ")
		.map((column) => `${table}.${column}`)
		.join(", ");

const SELECT = `SELECT ${qualified("c", recordCodec.list)}, ${qualified("s", subjectCodec.list)}, s.paused
	FROM conflict_subjects s JOIN conflicts c ON c.conflict_id = s.conflict_id
	WHERE s.run_id = ? AND s.task_id = ? ORDER BY s.seq`;

/** Stores an attempt. One that is stored already stays as it is. @returns how many were stored: 1 or 0 */
export function* insertConflictRecord(record: ConflictRecord): Query<number> {
	return yield* change(
		`INSERT INTO conflicts (${recordCodec.list}) VALUES (${recordCodec.marks})
			ON CONFLICT (conflict_id) DO NOTHING`,
		...recordCodec.encode(record),
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
		`INSERT INTO conflict_subjects (run_id, task_id, conflict_id, ${subjectCodec.list})
			VALUES (?, ?, ?, ${subjectCodec.marks})`,
		runId,
		record.taskId,
		record.conflictId,
		...subjectCodec.encode(about),
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
		...recordCodec.decode(row),
		...subjectCodec.decode(row),
		...(row["paused"] === 1 ? { paused: true } : {}),
	}));
}
