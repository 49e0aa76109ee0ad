import type { PairRecord } from "../../review/check-session.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

const codec = rowCodec<PairRecord>({
	digest: ["digest", "text"],
	previousDigest: ["previous_digest", "text"],
	session: ["session", "json"],
});

/** Stores the session under the run and task that it names. */
export function replacePairSession(db: Database, record: PairRecord): void {
	const { runId, taskId } = record.session;
	db.run(
		`INSERT OR REPLACE INTO pair_sessions (run_id, task_id, ${codec.list}) VALUES (?, ?, ${codec.marks})`,
		runId,
		taskId,
		...codec.encode(record),
	);
}

export function selectPairSession(
	db: Database,
	runId: string,
	taskId: string,
): PairRecord | undefined {
	const sql = `SELECT ${codec.list} FROM pair_sessions WHERE run_id = ? AND task_id = ?`;
	const row = db.get(sql, runId, taskId);
	return row && codec.decode(row);
}
