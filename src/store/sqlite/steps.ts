import type { StepKey } from "../records.ts";
import type { Database } from "./database.ts";

/** Stores the result of a step as JSON; a result of undefined is kept as null, so that the step counts as done. */
export function replaceStep(db: Database, key: StepKey, result: unknown): void {
	db.run(
		"INSERT OR REPLACE INTO steps (run_id, task_id, turn, step, result) VALUES (?, ?, ?, ?, ?)",
		key.runId,
		key.taskId,
		key.turn,
		key.step,
		JSON.stringify(result ?? null),
	);
}

/** Undefined when the step has not been done. */
export function selectStep<Result>(db: Database, key: StepKey<Result>): Result | undefined {
	const row = db.get(
		"SELECT result FROM steps WHERE run_id = ? AND task_id = ? AND turn = ? AND step = ?",
		key.runId,
		key.taskId,
		key.turn,
		key.step,
	);
	// Whoever writes a step writes what its key says that it holds (`stepWrite`).
	return row === undefined ? undefined : (JSON.parse(String(row["result"])) as Result);
}
