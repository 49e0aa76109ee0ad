import type { FindingConflict } from "../../conflict/conflict.ts";
import type { DefinedCheck } from "../../evidence/evidence.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Finding } from "../../review/finding.ts";
import type { Records, StepKey } from "../records.ts";
import { selectEvents } from "./events.ts";
import { answerFindings, answerItem, OPEN } from "./items.ts";
import { activeRuns, selectRunOverview, selectRunPage } from "./overviews.ts";
import { all, announce, change as changeRows, one, type Query, type Runner } from "./query.ts";
import { selectHighestCosts, selectSpending } from "./spending.ts";
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

const OF_TREE = `WHERE run_id = ? AND tree = ? AND definition = ?
	AND status IN ('pass', 'fail') AND check_name = ? ORDER BY seq DESC LIMIT 1`;

const evidenceFor = (runId: string, tree: string, { check, definition }: DefinedCheck) =>
	evidence.one(OF_TREE, runId, tree, definition, check);

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
		highestCosts: (runId) => read(selectHighestCosts(runId)),
		answer: (...of) => change(() => answerItem(...of)),
		answerFindings: (...of) => change(() => answerFindings(...of)),
		requestCancel: (runId) => change(() => markCancelRequested(runId)),
		cancelRequested: (runId) => read(isCancelRequested(runId)),
		events: (run, options) => read(selectEvents({ ...options, run })),
		runPage: (query) => read(selectRunPage(query)),
		runOverview: (runId) => read(selectRunOverview(runId)),
		activeRuns: () => read(activeRuns()),
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
