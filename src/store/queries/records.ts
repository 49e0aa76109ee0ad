import type { FindingConflict } from "../../conflict/conflict.ts";
import type { CheckQuery } from "../../evidence/evidence.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Finding } from "../../review/finding.ts";
import type { ActiveRun, RunOverview, RunPageQuery, RunSelection } from "../overviews.ts";
import type { Records, StepKey } from "../records.ts";
import { selectEvents } from "./events.ts";
import { answerFindings, answerItem, OPEN } from "./items.ts";
import { all, announce, change as changeRows, one, type Query, type Runner } from "./query.ts";
import { selectHighestCosts, selectSpending, selectSuiteWork } from "./spending.ts";
import { rowCodec } from "./table.ts";
import {
	calls,
	conflictSubjects,
	conflicts,
	evidence,
	findings,
	items,
	pairSessions,
	runs,
	scores,
	tasks,
	turns,
} from "./tables.ts";
import { commitWrites, countFindings, createRun, OF_TASK, OF_TURN } from "./writes.ts";

function* selectStep<Result>(key: StepKey<Result>): Query<Result | undefined> {
	const sql = `SELECT result FROM steps WHERE ${OF_TURN} AND step = ?`;
	const row = yield* one(sql, key.runId, key.taskId, key.turn, key.step);
	// Whoever writes a step writes what its key says that it holds (`stepWrite`).
	return row === undefined ? undefined : (JSON.parse(String(row["result"])) as Result);
}

function* selectNewestRun(): Query<string | undefined> {
	const row = yield* one("SELECT run_id FROM runs ORDER BY seq DESC LIMIT 1");
	return row === undefined ? undefined : String(row["run_id"]);
}

function* isCancelRequested(runId: string): Query<boolean> {
	const row = yield* one("SELECT cancel_requested FROM runs WHERE run_id = ?", runId);
	return row?.["cancel_requested"] === 1;
}

function* selectMergedCommits(runId: string): Query<readonly string[]> {
	const sql =
		"SELECT merged_commit FROM tasks WHERE run_id = ? AND merged_commit IS NOT NULL ORDER BY position";
	return (yield* all(sql, runId)).map(({ merged_commit }) => String(merged_commit));
}

const LAST_EVIDENCE = `WHERE run_id = ?1 AND task_id = ?2 AND turn = ?3 AND seq = (
	SELECT max(later.seq) FROM evidence AS later
	WHERE later.run_id = ?1 AND later.task_id = ?2 AND later.turn = ?3
		AND later.check_name = evidence.check_name AND later.purpose = evidence.purpose)
	ORDER BY seq`;

const ofTree = (definition: string): string => `WHERE run_id = ? AND tree = ?
	AND status IN ('pass', 'fail') AND check_name = ? ${definition} ORDER BY seq DESC LIMIT 1`;

const evidenceFor = (runId: string, tree: string, { check, definition }: CheckQuery) =>
	definition === undefined
		? evidence.one(ofTree(""), runId, tree, check)
		: evidence.one(ofTree("AND definition = ?"), runId, tree, check, definition);

const findingsWhere = (
	condition: string,
	...values: readonly string[]
): Query<readonly Finding[]> =>
	findings.all(`WHERE ${OF_TASK} ${condition} ORDER BY ordinal`, ...values);

const CONFLICTS = `SELECT c.*, ${conflictSubjects.list}, paused
	FROM conflict_subjects s JOIN conflicts c ON c.conflict_id = s.conflict_id
	WHERE s.run_id = ? AND s.task_id = ? ORDER BY s.seq`;

function* selectConflicts(runId: string, taskId: string): Query<readonly FindingConflict[]> {
	return (yield* all(CONFLICTS, runId, taskId)).map((row) => ({
		...conflicts.decode(row),
		...conflictSubjects.decode(row),
		...(row["paused"] === 1 ? { paused: true } : {}),
	}));
}

function* markCancelRequested(runId: string): Query<void> {
	const sql = "UPDATE runs SET cancel_requested = 1 WHERE run_id = ?";
	if ((yield* changeRows(sql, runId)) > 0) return yield* announce(runId);
	throw new Fault(`there is no run ${runId}`, {
		code: "run-not-found",
		hint: "List the runs with `spar runs`.",
	});
}

/**
 * Records by the same queries whatever database runs them. Rows come newest first by their place: clocks can be set
 * back.
 */
export function queriedRecords({ read, snapshot, change, commit, pulse }: Runner): Records {
	return {
		createRun: (...of) => commit(() => createRun(...of)),
		commit: (fence, writes) => commit(() => commitWrites(fence, writes)),
		runs: () => read(runs.all("ORDER BY seq DESC")),
		newestRun: () => read(selectNewestRun()),
		run: (runId) => read(runs.one("WHERE run_id = ?", runId)),
		tasks: (runId) => read(tasks.all("WHERE run_id = ? ORDER BY position", runId)),
		task: (...of) => read(tasks.one(`WHERE ${OF_TASK}`, ...of)),
		mergedCommits: (runId) => read(selectMergedCommits(runId)),
		step: (key) => read(selectStep(key)),
		taskCalls: (...of) => read(calls.all(`WHERE ${OF_TASK} ORDER BY seq`, ...of)),
		calls: (...of) => read(calls.all(`WHERE ${OF_TURN} AND role = ? ORDER BY call, seq`, ...of)),
		turns: (...of) => read(turns.all(`WHERE ${OF_TASK} ORDER BY turn DESC LIMIT ?`, ...of)),
		turn: (...of) => read(turns.one(`WHERE ${OF_TURN}`, ...of)),
		evidence: (...of) => read(evidence.all(LAST_EVIDENCE, ...of)),
		evidenceFor: (...of) => read(evidenceFor(...of)),
		findings: (...of) => read(findingsWhere("", ...of)),
		openFindings: (...of) => read(findingsWhere("AND live = 1", ...of)),
		findingsByIssue: async (runId, taskId, keys) => {
			if (keys.length === 0) return [];
			const marks = keys.map(() => "?").join(", ");
			return await read(findingsWhere(`AND issue_key IN (${marks})`, runId, taskId, ...keys));
		},
		findingCount: (...of) => read(countFindings(...of)),
		conflicts: (...of) => read(selectConflicts(...of)),
		pairSession: (...of) => read(pairSessions.one(`WHERE ${OF_TASK}`, ...of)),
		scores: () => read(scores.all("ORDER BY seq")),
		items: (runId) => {
			const where = runId === undefined ? "" : "WHERE run_id = ? ";
			return read(items.all(`${where}ORDER BY seq DESC`, ...(runId === undefined ? [] : [runId])));
		},
		item: (itemId) => read(items.one("WHERE item_id = ?", itemId)),
		spending: (runId) => snapshot(selectSpending(runId)),
		suiteWork: (runId) => read(selectSuiteWork(runId)),
		highestCosts: (runId) => read(selectHighestCosts(runId)),
		answer: (...of) => change(() => answerItem(...of)),
		answerFindings: (...of) => change(() => answerFindings(...of)),
		requestCancel: (runId) => change(() => markCancelRequested(runId)),
		cancelRequested: (runId) => read(isCancelRequested(runId)),
		events: (run, options) => read(selectEvents({ ...options, run })),
		runPage: (query) => read(selectRunPage(query)),
		runOverview: (runId) => read(selectRunOverview(runId)),
		activeRuns: () => read(activeRuns()),
		laterRun: (...of) => read(selectLaterRun(...of)),
		openItems: () => read(items.all(`WHERE ${OPEN} ORDER BY seq DESC`)),
		eventsAfter: (after, { runId, taskId }, limit) =>
			read(selectEvents({ after, run: runId ?? undefined, task: taskId ?? undefined, limit })),
		newestEvent: async () => {
			const [newest] = await read(all("SELECT max(id) AS id FROM events"));
			return Number(newest?.["id"] ?? 0);
		},
		pulse,
	};
}

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

function* selectRunPage({ selection, before, limit }: RunPageQuery): Query<readonly RunOverview[]> {
	const page = `SELECT * FROM runs WHERE ${CONDITIONS[selection]}
		AND (CAST(?1 AS TEXT) IS NULL OR seq < (SELECT seq FROM runs WHERE run_id = ?1)) ORDER BY seq DESC LIMIT ?2`;
	return (yield* all(overviews(page), before, limit)).map(codec.decode);
}

function* selectRunOverview(runId: string): Query<RunOverview | undefined> {
	const row = yield* one(overviews("SELECT * FROM runs WHERE run_id = ?"), runId);
	return row && codec.decode(row);
}

function* selectLaterRun(runId: string, taskId: string): Query<string | undefined> {
	const row = yield* one(
		`SELECT later.run_id FROM runs JOIN runs AS later USING (workflow_name)
		JOIN tasks ON tasks.run_id = later.run_id AND tasks.task_id = ?
		WHERE runs.run_id = ? AND later.seq > runs.seq AND later.status <> 'cancelled'
		ORDER BY later.seq DESC LIMIT 1`,
		taskId,
		runId,
	);
	return row === undefined ? undefined : String(row["run_id"]);
}

const activeCodec = rowCodec<ActiveRun>({
	runId: "text",
	status: "text",
	cancelRequested: "flag",
});

function* activeRuns(): Query<readonly ActiveRun[]> {
	const sql = `SELECT ${activeCodec.list} FROM runs WHERE ${CONDITIONS.active} ORDER BY seq DESC`;
	return (yield* all(sql)).map(activeCodec.decode);
}
