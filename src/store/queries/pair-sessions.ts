import type { PairRecord } from "../../review/check-session.ts";
import { change, one, type Query } from "./query.ts";
import { pairSessions as codec } from "./tables.ts";

export function* replacePairSession(record: PairRecord): Query<void> {
	const { runId, taskId } = record.session;
	yield* change(
		`INSERT INTO pair_sessions (run_id, task_id, ${codec.list}) VALUES (?, ?, ${codec.marks})
			ON CONFLICT (run_id, task_id) DO UPDATE SET ${codec.replaced}`,
		runId,
		taskId,
		...codec.encode(record),
	);
}

export function* selectPairSession(runId: string, taskId: string): Query<PairRecord | undefined> {
	const sql = `SELECT ${codec.list} FROM pair_sessions WHERE run_id = ? AND task_id = ?`;
	const row = yield* one(sql, runId, taskId);
	return row && codec.decode(row);
}
