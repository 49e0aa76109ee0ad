import type { Role } from "../../kernel/roles.ts";
import type { CallRecord } from "../records.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";
import { addCall } from "./spending.ts";

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
	checkout: ["checkout", "text"],
	startedAt: ["started_at", "text"],
	ms: ["ms", "number"],
	usage: ["usage", "json"],
});

/** Of a call that is stored again the totals keep what it used up the first time. */
export function replaceCall(db: Database, call: CallRecord): void {
	if (!isStored(db, call)) addCall(db, call);
	db.run(
		`INSERT OR REPLACE INTO calls (${codec.list}) VALUES (${codec.marks})`,
		...codec.encode(call),
	);
}

function isStored(db: Database, call: CallRecord): boolean {
	const sql = `SELECT 1 FROM calls
		WHERE run_id = ? AND task_id = ? AND turn = ? AND role = ? AND ifnull(subtask, '') = ? AND call = ?`;
	const { runId, taskId, turn, role, subtask } = call;
	return db.get(sql, runId, taskId, turn, role, subtask ?? "", call.call) !== undefined;
}

/** All calls of a task, in the order in which they were stored. */
export function selectTaskCalls(
	db: Database,
	runId: string,
	taskId: string,
): readonly CallRecord[] {
	const sql = `SELECT ${codec.list} FROM calls WHERE run_id = ? AND task_id = ? ORDER BY seq`;
	return db.all(sql, runId, taskId).map(codec.decode);
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
