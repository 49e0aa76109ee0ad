import type { Role } from "../../kernel/roles.ts";
import type { CallRecord } from "../records.ts";
import { all, change, type Query } from "./query.ts";
import { addCall, knownAmount } from "./spending.ts";
import { calls as codec } from "./tables.ts";

/** What names a call; a subtask of null is none. */
const ONCE = `run_id = ? AND task_id = ? AND turn = ? AND role = ? AND coalesce(subtask, '') = ? AND call = ?`;

/**
 * Deletes and inserts rather than updates, so that what was stored last is the last. Of a call that is stored again the
 * totals keep what it used up the first time.
 */
export function* replaceCall(call: CallRecord): Query<void> {
	const { runId, taskId, turn, role, subtask } = call;
	const deleted = yield* change(
		`DELETE FROM calls WHERE ${ONCE}`,
		runId,
		taskId,
		turn,
		role,
		subtask ?? "",
		call.call,
	);
	if (deleted === 0) yield* addCall(call);
	yield* change(
		`INSERT INTO calls (cost_usd, ${codec.list}) VALUES (?, ${codec.marks})`,
		knownAmount(call.usage?.costUsd),
		...codec.encode(call),
	);
}

/** All calls of a task, in the order in which they were stored. */
export function* selectTaskCalls(runId: string, taskId: string): Query<readonly CallRecord[]> {
	const sql = `SELECT ${codec.list} FROM calls WHERE run_id = ? AND task_id = ? ORDER BY seq`;
	return (yield* all(sql, runId, taskId)).map(codec.decode);
}

/** Calls of a role in a turn, in order. */
export function* selectCalls(
	runId: string,
	taskId: string,
	turn: number,
	role: Role,
): Query<readonly CallRecord[]> {
	const sql = `SELECT ${codec.list} FROM calls
		WHERE run_id = ? AND task_id = ? AND turn = ? AND role = ? ORDER BY call, seq`;
	return (yield* all(sql, runId, taskId, turn, role)).map(codec.decode);
}
