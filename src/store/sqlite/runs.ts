import { Fault } from "../../kernel/fault.ts";
import type { RunRecord, Write } from "../records.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

type RunPatch = Extract<Write, { kind: "run" }>["patch"];

const codec = rowCodec<RunRecord>({
	runId: ["run_id", "text"],
	workflow: ["workflow", "json"],
	baseBranch: ["base_branch", "text"],
	baseCommit: ["base_commit", "text"],
	branch: ["branch", "text"],
	status: ["status", "text"],
	createdAt: ["created_at", "text"],
	endedAt: ["ended_at", "text"],
	identity: ["identity", "json"],
	landedCommit: ["landed_commit", "text"],
	recordFile: ["record_file", "text"],
	cancelRequested: ["cancel_requested", "flag"],
	pruned: ["pruned", "flag"],
});

export function insertRun(db: Database, run: RunRecord): void {
	db.run(`INSERT INTO runs (${codec.list}) VALUES (${codec.marks})`, ...codec.encode(run));
}

export function updateRun(db: Database, runId: string, patch: RunPatch): void {
	const assigned = codec.assign(patch);
	if (assigned === undefined) return;
	const { changes } = db.run(
		`UPDATE runs SET ${assigned.sql} WHERE run_id = ?`,
		...assigned.values,
		runId,
	);
	if (changes === 0) throw new Error(`run ${runId} is not stored`);
}

/** Newest first, by the order in which they were stored: a clock can be set back. */
export function selectRuns(db: Database): readonly RunRecord[] {
	return db.all(`SELECT ${codec.list} FROM runs ORDER BY seq DESC`).map(codec.decode);
}

export function selectRun(db: Database, runId: string): RunRecord | undefined {
	const row = db.get(`SELECT ${codec.list} FROM runs WHERE run_id = ?`, runId);
	return row && codec.decode(row);
}

export function isCancelRequested(db: Database, runId: string): boolean {
	return (
		db.get("SELECT cancel_requested FROM runs WHERE run_id = ?", runId)?.["cancel_requested"] === 1
	);
}

/** @throws Fault `run-not-found` */
export function markCancelRequested(db: Database, runId: string): void {
	const { changes } = db.run("UPDATE runs SET cancel_requested = 1 WHERE run_id = ?", runId);
	if (changes > 0) return;
	throw new Fault(`there is no run ${runId}`, {
		code: "run-not-found",
		hint: "List the runs with `spar runs`.",
	});
}
