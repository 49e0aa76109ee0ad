import { Fault } from "../../kernel/fault.ts";
import type { RunRecord, Write } from "../records.ts";
import { all, announce, change, one, type Query } from "./query.ts";
import { runs as codec } from "./tables.ts";

type RunPatch = Extract<Write, { kind: "run" }>["patch"];

export function* insertRun(run: RunRecord): Query<void> {
	yield* change(
		`INSERT INTO runs (workflow_name, ${codec.list}) VALUES (?, ${codec.marks})`,
		run.workflow.name,
		...codec.encode(run),
	);
	yield* announce(run.runId);
}

export function* updateRun(runId: string, patch: RunPatch): Query<void> {
	const assigned = codec.assign(patch);
	if (assigned === undefined) return;
	const changes = yield* change(
		`UPDATE runs SET ${assigned.sql} WHERE run_id = ?`,
		...assigned.values,
		runId,
	);
	if (changes === 0) throw new Error(`run ${runId} is not stored`);
}

/** Newest first, by the order in which they were stored: a clock can be set back. */
export function* selectRuns(): Query<readonly RunRecord[]> {
	return (yield* all(`SELECT ${codec.list} FROM runs ORDER BY seq DESC`)).map(codec.decode);
}

export function* selectNewestRun(): Query<string | undefined> {
	const row = yield* one("SELECT run_id FROM runs ORDER BY seq DESC LIMIT 1");
	return row === undefined ? undefined : String(row["run_id"]);
}

export function* selectRun(runId: string): Query<RunRecord | undefined> {
	const row = yield* one(`SELECT ${codec.list} FROM runs WHERE run_id = ?`, runId);
	return row && codec.decode(row);
}

export function* isCancelRequested(runId: string): Query<boolean> {
	const row = yield* one("SELECT cancel_requested FROM runs WHERE run_id = ?", runId);
	return row?.["cancel_requested"] === 1;
}

/** @throws Fault `run-not-found` */
export function* markCancelRequested(runId: string): Query<void> {
	const changes = yield* change("UPDATE runs SET cancel_requested = 1 WHERE run_id = ?", runId);
	if (changes > 0) return yield* announce(runId);
	throw new Fault(`there is no run ${runId}`, {
		code: "run-not-found",
		hint: "List the runs with `spar runs`.",
	});
}
