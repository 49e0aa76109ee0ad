import type { Role } from "../../kernel/roles.ts";
import type { CallRecord } from "../records.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

const codec = rowCodec<CallRecord>({
	runId: ["run_id", "text"],
	taskId: ["task_id", "text"],
	subtask: ["subtask", "text"],
	turn: ["turn", "number"],
	role: ["role", "text"],
	call: ["call", "number"],
	agent: ["agent", "text"],
	outcome: ["outcome", "text"],
	report: ["report", "text"],
	reportProblem: ["report_problem", "text"],
	message: ["message", "text"],
	transcriptPath: ["transcript_path", "text"],
	startedAt: ["started_at", "text"],
	ms: ["ms", "number"],
	usage: ["usage", "json"],
});

export function replaceCall(db: Database, call: CallRecord): void {
	db.run(
		`INSERT OR REPLACE INTO calls (${codec.list}) VALUES (${codec.marks})`,
		...codec.encode(call),
	);
}

/** Calls of a role in a turn, in order. */
export function selectCalls(
	db: Database,
	runId: string,
	taskId: string,
	turn: number,
	role: Role,
): readonly CallRecord[] {
	const sql = `SELECT ${codec.list} FROM calls
		WHERE run_id = ? AND task_id = ? AND turn = ? AND role = ? ORDER BY call, seq`;
	return db.all(sql, runId, taskId, turn, role).map(codec.decode);
}
