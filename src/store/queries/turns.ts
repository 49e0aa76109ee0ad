import type { TurnRecord } from "../records.ts";
import { all, change, one, type Query } from "./query.ts";
import { turns as codec } from "./tables.ts";

export function* replaceTurn(turn: TurnRecord): Query<void> {
	yield* change(
		`INSERT INTO turns (${codec.list}) VALUES (${codec.marks})
			ON CONFLICT (run_id, task_id, turn) DO UPDATE SET ${codec.replaced}`,
		...codec.encode(turn),
	);
}

/** The newest `limit` turns, newest first. */
export function* selectTurns(
	runId: string,
	taskId: string,
	limit: number,
): Query<readonly TurnRecord[]> {
	const sql = `SELECT ${codec.list} FROM turns WHERE run_id = ? AND task_id = ? ORDER BY turn DESC LIMIT ?`;
	return (yield* all(sql, runId, taskId, limit)).map(codec.decode);
}

export function* selectTurn(
	runId: string,
	taskId: string,
	turn: number,
): Query<TurnRecord | undefined> {
	const sql = `SELECT ${codec.list} FROM turns WHERE run_id = ? AND task_id = ? AND turn = ?`;
	const row = yield* one(sql, runId, taskId, turn);
	return row && codec.decode(row);
}
