import { findingKey } from "../../review/claim.ts";
import type { Finding } from "../../review/finding.ts";
import { isOpen } from "../../review/finding-state.ts";
import { all, change, one, type Query } from "./query.ts";
import { findings as codec } from "./tables.ts";

const SELECT = `SELECT ${codec.list} FROM findings WHERE run_id = ? AND task_id = ?`;

/** A finding that is known keeps its place in the order; a new one comes last. */
export function* replaceFinding(runId: string, taskId: string, finding: Finding): Query<void> {
	const known = yield* one(
		"SELECT ordinal FROM findings WHERE run_id = ? AND task_id = ? AND finding_id = ?",
		runId,
		taskId,
		finding.id,
	);
	const ordinal =
		known === undefined ? (yield* countFindings(runId, taskId)) + 1 : Number(known["ordinal"]);
	yield* change(
		`INSERT INTO findings (run_id, task_id, ordinal, live, issue_key, ${codec.list})
			VALUES (?, ?, ?, ?, ?, ${codec.marks})
			ON CONFLICT (run_id, task_id, finding_id) DO UPDATE
				SET live = excluded.live, issue_key = excluded.issue_key, ${codec.replaced}`,
		runId,
		taskId,
		ordinal,
		isOpen(finding) ? 1 : 0,
		findingKey(finding),
		...codec.encode(finding),
	);
}

/** In the order they were raised. */
export function* selectFindings(runId: string, taskId: string): Query<readonly Finding[]> {
	return (yield* all(`${SELECT} ORDER BY ordinal`, runId, taskId)).map(codec.decode);
}

export function* selectOpenFindings(runId: string, taskId: string): Query<readonly Finding[]> {
	return (yield* all(`${SELECT} AND live = 1 ORDER BY ordinal`, runId, taskId)).map(codec.decode);
}

export function* selectFindingsByIssue(
	runId: string,
	taskId: string,
	keys: readonly string[],
): Query<readonly Finding[]> {
	if (keys.length === 0) return [];
	const marks = keys.map(() => "?").join(", ");
	const sql = `${SELECT} AND issue_key IN (${marks}) ORDER BY ordinal`;
	return (yield* all(sql, runId, taskId, ...keys)).map(codec.decode);
}

/** Findings are never deleted, so the last place is their number; counting would grow with them. */
export function* countFindings(runId: string, taskId: string): Query<number> {
	const sql = "SELECT max(ordinal) AS last FROM findings WHERE run_id = ? AND task_id = ?";
	return Number((yield* one(sql, runId, taskId))?.["last"] ?? 0);
}
