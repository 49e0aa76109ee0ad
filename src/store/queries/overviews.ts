import type { ActiveRun, RunOverview, RunPageQuery, RunSelection } from "../overviews.ts";
import { OPEN } from "./items.ts";
import { all, one, type Query } from "./query.ts";
import { rowCodec } from "./table.ts";

const codec = rowCodec<RunOverview>({
	runId: "text",
	workflow: ["workflow_name", "text"],
	status: "text",
	baseBranch: "text",
	createdAt: "text",
	endedAt: "text?",
	landedCommit: "text?",
	cancelRequested: "flag",
	pruned: "flag",
	total: "integer",
	completed: "integer",
	failed: "integer",
	blocked: "integer",
	cancelled: "integer",
	waiting: "integer",
	costUsd: "real?",
	unknownCalls: "integer",
	heldMs: "real",
});

const CONDITIONS: Readonly<Record<RunSelection, string>> = {
	all: "TRUE",
	waiting: `EXISTS (SELECT 1 FROM items WHERE items.run_id = runs.run_id AND items.${OPEN})`,
	failed: `(status = 'failed'
		OR EXISTS (SELECT 1 FROM tasks WHERE tasks.run_id = runs.run_id AND tasks.status = 'failed'))`,
	active: "status IN ('running', 'paused_for_user_escalation')",
	unlanded: `landed_commit IS NULL
		AND EXISTS (SELECT 1 FROM tasks WHERE tasks.run_id = runs.run_id AND tasks.merged = 1)`,
};

const count = (status: string): string =>
	`(SELECT count(*) FROM tasks WHERE tasks.run_id = page.run_id AND tasks.status = '${status}')`;

const overviews = (page: string): string => `
	SELECT run_id, workflow_name, status, base_branch, created_at,
		ended_at, landed_commit, cancel_requested, pruned,
		(SELECT count(*) FROM tasks WHERE tasks.run_id = page.run_id) AS total,
		${count("completed")} AS completed, ${count("failed")} AS failed, ${count("blocked")} AS blocked,
		${count("cancelled")} AS cancelled, ${count("paused_for_human")} AS waiting,
		(SELECT sum(cost_usd) FROM task_spending AS spent WHERE spent.run_id = page.run_id) AS cost_usd,
		(SELECT CAST(coalesce(sum(unknown_calls), 0) AS BIGINT) FROM task_spending AS spent WHERE spent.run_id = page.run_id)
			AS unknown_calls,
		coalesce((SELECT held_ms FROM run_spending AS spent WHERE spent.run_id = page.run_id), 0) AS held_ms
	FROM (${page}) AS page ORDER BY seq DESC`;

export function* selectRunPage({
	selection,
	before,
	limit,
}: RunPageQuery): Query<readonly RunOverview[]> {
	const page = `SELECT * FROM runs WHERE ${CONDITIONS[selection]}
		AND (CAST(?1 AS TEXT) IS NULL OR seq < (SELECT seq FROM runs WHERE run_id = ?1)) ORDER BY seq DESC LIMIT ?2`;
	return (yield* all(overviews(page), before, limit)).map(codec.decode);
}

export function* selectRunOverview(runId: string): Query<RunOverview | undefined> {
	const row = yield* one(overviews("SELECT * FROM runs WHERE run_id = ?"), runId);
	return row && codec.decode(row);
}

const activeCodec = rowCodec<ActiveRun>({
	runId: "text",
	status: "text",
	cancelRequested: "flag",
});

export function* activeRuns(): Query<readonly ActiveRun[]> {
	const sql = `SELECT ${activeCodec.list} FROM runs WHERE ${CONDITIONS.active} ORDER BY seq DESC`;
	return (yield* all(sql)).map(activeCodec.decode);
}
