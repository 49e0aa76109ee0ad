import type { StepKey } from "../records.ts";
import { change, one, type Query } from "./query.ts";

/** Stores the result of a step as JSON; a result of undefined is kept as null, so that the step counts as done. */
export function* replaceStep(key: StepKey, result: unknown): Query<void> {
	yield* change(
		`INSERT INTO steps (run_id, task_id, turn, step, result) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (run_id, task_id, turn, step) DO UPDATE SET result = excluded.result`,
		key.runId,
		key.taskId,
		key.turn,
		key.step,
		JSON.stringify(result ?? null),
	);
}

/** Undefined when the step has not been done. */
export function* selectStep<Result>(key: StepKey<Result>): Query<Result | undefined> {
	const row = yield* one(
		"SELECT result FROM steps WHERE run_id = ? AND task_id = ? AND turn = ? AND step = ?",
		key.runId,
		key.taskId,
		key.turn,
		key.step,
	);
	// Whoever writes a step writes what its key says that it holds (`stepWrite`).
	return row === undefined ? undefined : (JSON.parse(String(row["result"])) as Result);
}
