import { findingKey } from "../../review/claim.ts";
import type { Finding } from "../../review/finding.ts";
import { isOpen } from "../../review/finding-state.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

const codec = rowCodec<Finding>({
	id: ["finding_id", "text"],
	issue: ["issue", "text"],
	severity: ["severity", "text"],
	state: ["state", "text"],
	file: ["file", "text"],
	line: ["line", "number"],
	criterion: ["criterion", "text"],
	suggestion: ["suggestion", "text"],
	dispute: ["dispute", "json"],
	ruling: ["ruling", "json?"],
	source: ["source", "text"],
	test: ["test", "json?"],
	suspicion: ["suspicion", "json?"],
	late: ["late", "flag"],
	subtask: ["subtask", "text"],
	raisedTurn: ["raised_turn", "number"],
	changedTurn: ["changed_turn", "number"],
});

const SELECT = `SELECT ${codec.list} FROM findings WHERE run_id = ? AND task_id = ?`;

/** A finding that is known keeps its place in the order; a new one comes last. */
export function replaceFinding(
	db: Database,
	runId: string,
	taskId: string,
	finding: Finding,
): void {
	const known = db.get(
		"SELECT ordinal FROM findings WHERE run_id = ? AND task_id = ? AND finding_id = ?",
		runId,
		taskId,
		finding.id,
	);
	const ordinal =
		known === undefined ? countFindings(db, runId, taskId) + 1 : Number(known["ordinal"]);
	db.run(
		`INSERT OR REPLACE INTO findings (run_id, task_id, ordinal, live, issue_key, ${codec.list})
			VALUES (?, ?, ?, ?, ?, ${codec.marks})`,
		runId,
		taskId,
		ordinal,
		isOpen(finding) ? 1 : 0,
		findingKey(finding),
		...codec.encode(finding),
	);
}

/** In the order they were raised. */
export function selectFindings(db: Database, runId: string, taskId: string): readonly Finding[] {
	return db.all(`${SELECT} ORDER BY ordinal`, runId, taskId).map(codec.decode);
}

export function selectOpenFindings(
	db: Database,
	runId: string,
	taskId: string,
): readonly Finding[] {
	return db.all(`${SELECT} AND live = 1 ORDER BY ordinal`, runId, taskId).map(codec.decode);
}

export function selectFindingsByIssue(
	db: Database,
	runId: string,
	taskId: string,
	keys: readonly string[],
): readonly Finding[] {
	const sql = `${SELECT} AND issue_key IN (SELECT value FROM json_each(?)) ORDER BY ordinal`;
	return db.all(sql, runId, taskId, JSON.stringify(keys)).map(codec.decode);
}

/** Findings are never deleted, so the last place is their number; counting would grow with them. */
export function countFindings(db: Database, runId: string, taskId: string): number {
	const sql = "SELECT max(ordinal) AS last FROM findings WHERE run_id = ? AND task_id = ?";
	return Number(db.get(sql, runId, taskId)?.["last"] ?? 0);
}
