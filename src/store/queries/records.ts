import { assertNever } from "../../kernel/assert-never.ts";
import type { Role } from "../../kernel/roles.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { requireOwn, requireWhole } from "../own-writes.ts";
import type { CallRecord, Fence, Records, RunRecord, TaskRecord, Write } from "../records.ts";
import type { ScoredMetric, ScoredTurn, ScoreRecord } from "../scores.ts";
import { insertConflict, markConflictPaused, selectConflicts } from "./conflict-rows.ts";
import {
	insertEvent,
	selectAnswerEvents,
	selectEvents,
	selectEventsAfter,
	selectNewestEvent,
} from "./events.ts";
import { replaceEvidence, selectEvidence, selectEvidenceFor } from "./evidence-rows.ts";
import {
	countFindings,
	replaceFinding,
	selectFindings,
	selectFindingsByIssue,
	selectOpenFindings,
} from "./findings.ts";
import {
	consumeItem,
	knownItem,
	selectItem,
	selectItems,
	selectOpenItems,
	upsertItem,
} from "./items.ts";
import { requireFence } from "./leases.ts";
import { selectActiveRuns, selectRunOverview, selectRunPage } from "./overviews.ts";
import { replacePairSession, selectPairSession } from "./pair-sessions.ts";
import { all, announce, change, type Query } from "./query.ts";
import { rowCodec } from "./row-codec.ts";
import {
	insertRun,
	isCancelRequested,
	markCancelRequested,
	selectNewestRun,
	selectRun,
	selectRuns,
	updateRun,
} from "./runs.ts";
import {
	addCall,
	addTime,
	knownAmount,
	markWarned,
	selectHighestCosts,
	selectSpending,
} from "./spending.ts";
import { replaceStep, selectStep } from "./steps.ts";
import { calls as codec, LATER, SCORED, scores } from "./tables.ts";
import { insertTask, selectMergedCommits, selectTask, selectTasks, updateTask } from "./tasks.ts";
import { replaceTurn, selectTurn, selectTurns } from "./turns.ts";

const scored = rowCodec(SCORED);
const later = rowCodec(LATER);

const VERDICTS = later.list
	.split(", ")
	.map((column) => `${column} = CASE WHEN scores.tree = excluded.tree THEN scores.${column} END`)
	.join(", ");

const bare = ({ type, weight, score, evaluator_agent }: ScoredMetric): ScoredMetric =>
	evaluator_agent === undefined
		? { type, weight, score }
		: { type, weight, score, evaluator_agent };

function* upsertScore(score: ScoredTurn): Query<void> {
	yield* change(
		`INSERT INTO scores (${scored.list}) VALUES (${scored.marks})
			ON CONFLICT (run_id, task_id, turn) DO UPDATE SET ${VERDICTS}, ${scored.replaced}`,
		...scored.encode({ ...score, metrics: score.metrics.map(bare) }),
	);
}

function* updateScoreOutcome({
	runId,
	taskId,
	turn,
	patch,
}: Extract<Write, { kind: "score-outcome" }>): Query<void> {
	const assigned = later.assign(patch);
	if (assigned === undefined) return;
	const sql = `UPDATE scores SET ${assigned.sql} WHERE run_id = ? AND task_id = ? AND turn = ?`;
	yield* change(sql, ...assigned.values, runId, taskId, turn);
}

/** Of all runs, in the order they were scored first. */
function* selectScores(): Query<readonly ScoreRecord[]> {
	return (yield* all(`SELECT ${scores.list} FROM scores ORDER BY seq`)).map(scores.decode);
}

/** What names a call; a subtask of null is none. */
const ONCE = `run_id = ? AND task_id = ? AND turn = ? AND role = ? AND coalesce(subtask, '') = ? AND call = ?`;

/**
 * Deletes and inserts rather than updates, so that what was stored last is the last. Of a call that is stored again the
 * totals keep what it used up the first time.
 */
function* replaceCall(call: CallRecord): Query<void> {
	const { runId, taskId, turn, role, subtask } = call;
	const deleted = yield* change(
		`DELETE FROM calls WHERE ${ONCE}`,
		runId,
		taskId,
		turn,
		role,
		subtask ?? "",
		call.call,
	);
	if (deleted === 0) yield* addCall(call);
	yield* change(
		`INSERT INTO calls (cost_usd, ${codec.list}) VALUES (?, ${codec.marks})`,
		knownAmount(call.usage?.costUsd),
		...codec.encode(call),
	);
}

/** All calls of a task, in the order in which they were stored. */
function* selectTaskCalls(runId: string, taskId: string): Query<readonly CallRecord[]> {
	const sql = `SELECT ${codec.list} FROM calls WHERE run_id = ? AND task_id = ? ORDER BY seq`;
	return (yield* all(sql, runId, taskId)).map(codec.decode);
}

/** Calls of a role in a turn, in order. */
function* selectCalls(
	runId: string,
	taskId: string,
	turn: number,
	role: Role,
): Query<readonly CallRecord[]> {
	const sql = `SELECT ${codec.list} FROM calls
		WHERE run_id = ? AND task_id = ? AND turn = ? AND role = ? ORDER BY call, seq`;
	return (yield* all(sql, runId, taskId, turn, role)).map(codec.decode);
}

export interface Runner {
	/** Statement by statement: for a query that reads once. */
	readonly read: <T>(query: Query<T>) => Promise<T>;
	/** All reads see the same state. */
	readonly snapshot: <T>(query: Query<T>) => Promise<T>;
	readonly change: <T>(work: () => Query<T>) => Promise<T>;
	readonly commit: (work: () => Query<readonly StoredEvent[]>) => Promise<readonly StoredEvent[]>;
	readonly pulse: () => Promise<string>;
}

const NONE: readonly StoredEvent[] = [];

/** A write that gives no event. */
function* quiet(query: Query<unknown>): Query<readonly StoredEvent[]> {
	yield* query;
	return NONE;
}

/** A write that gives an event where it was the first of its kind. */
function* told(
	query: Query<boolean>,
	{ runId, event }: Extract<Write, { kind: "conflict-paused" | "budget-warned" }>,
): Query<readonly StoredEvent[]> {
	return (yield* query) ? [yield* insertEvent(runId, event)] : NONE;
}

function* consume(fence: Fence, itemId: string): Query<readonly StoredEvent[]> {
	if (!(yield* consumeItem(fence.runId, itemId))) return NONE;
	return yield* selectAnswerEvents(fence.runId, yield* knownItem(itemId));
}

function apply(fence: Fence, write: Write): Query<readonly StoredEvent[]> {
	switch (write.kind) {
		case "run":
			return quiet(updateRun(write.runId, write.patch));
		case "task":
			return quiet(updateTask(write.runId, write.taskId, write.patch));
		case "step":
			return quiet(replaceStep(write.key, write.result));
		case "call":
			return quiet(replaceCall(write.call));
		case "turn":
			return quiet(replaceTurn(write.turn));
		case "evidence":
			return quiet(replaceEvidence(write));
		case "finding":
			return quiet(replaceFinding(write.runId, write.taskId, write.finding));
		case "pair-session":
			return quiet(replacePairSession(write.record));
		case "score":
			return quiet(upsertScore(write.score));
		case "score-outcome":
			return quiet(updateScoreOutcome(write));
		case "conflict":
			return quiet(insertConflict(write));
		case "conflict-paused":
			return told(markConflictPaused(write), write);
		case "item":
			return quiet(upsertItem(write.item));
		case "item-consumed":
			return consume(fence, write.itemId);
		case "event":
			return oneEvent(write);
		case "time":
			return quiet(addTime(write));
		case "landing-due":
			return quiet(announce(write.runId, "land"));
		case "budget-warned":
			return told(markWarned(write), write);
		default:
			return assertNever(write);
	}
}

function* oneEvent({
	run,
	event,
}: Extract<Write, { kind: "event" }>): Query<readonly StoredEvent[]> {
	return [yield* insertEvent(run, event)];
}

/** The time of a run comes last: all of its holders add to one row, which is then locked as briefly as can be. */
function inOrder(writes: readonly Write[]): readonly Write[] {
	const { time = [], other = [] } = Object.groupBy(writes, ({ kind }) =>
		kind === "time" ? kind : "other",
	);
	return [...other, ...time];
}

function* applyAll(fence: Fence, writes: readonly Write[]): Query<readonly StoredEvent[]> {
	const events: StoredEvent[] = [];
	for (const write of inOrder(writes)) {
		requireOwn(fence, write);
		events.push(...(yield* apply(fence, write)));
	}
	return events;
}

function* commitWrites(fence: Fence, writes: readonly Write[]): Query<readonly StoredEvent[]> {
	yield* requireFence(fence);
	return yield* applyAll(fence, writes);
}

function* createRun(
	run: RunRecord,
	tasks: readonly TaskRecord[],
	fence: Fence,
	writes: readonly Write[],
): Query<readonly StoredEvent[]> {
	yield* requireFence(fence);
	requireWhole(fence, [run.runId, ...tasks.map((task) => task.runId)]);
	yield* insertRun(run);
	for (const task of tasks) yield* insertTask(task);
	return yield* applyAll(fence, writes);
}

export function queriedRecords({ read, snapshot, change, commit, pulse }: Runner): Records {
	return {
		createRun: (run, tasks, fence, writes = []) =>
			commit(() => createRun(run, tasks, fence, writes)),
		commit: (fence, writes) => commit(() => commitWrites(fence, writes)),
		runs: () => read(selectRuns()),
		newestRun: () => read(selectNewestRun()),
		run: (runId) => read(selectRun(runId)),
		tasks: (runId) => read(selectTasks(runId)),
		task: (runId, taskId) => read(selectTask(runId, taskId)),
		mergedCommits: (runId) => read(selectMergedCommits(runId)),
		step: (key) => read(selectStep(key)),
		taskCalls: (runId, taskId) => read(selectTaskCalls(runId, taskId)),
		calls: (runId, taskId, turn, role) => read(selectCalls(runId, taskId, turn, role)),
		turns: (runId, taskId, limit) => read(selectTurns(runId, taskId, limit)),
		turn: (runId, taskId, turn) => read(selectTurn(runId, taskId, turn)),
		evidence: (runId, taskId, turn) => read(selectEvidence(runId, taskId, turn)),
		evidenceFor: (runId, tree, of) => read(selectEvidenceFor(runId, tree, of)),
		findings: (runId, taskId) => read(selectFindings(runId, taskId)),
		openFindings: (runId, taskId) => read(selectOpenFindings(runId, taskId)),
		findingsByIssue: (runId, taskId, keys) => read(selectFindingsByIssue(runId, taskId, keys)),
		findingCount: (runId, taskId) => read(countFindings(runId, taskId)),
		conflicts: (runId, taskId) => read(selectConflicts(runId, taskId)),
		pairSession: (runId, taskId) => read(selectPairSession(runId, taskId)),
		scores: () => read(selectScores()),
		items: (runId) => read(selectItems(runId)),
		item: (itemId) => read(selectItem(itemId)),
		spending: (runId) => snapshot(selectSpending(runId)),
		highestCosts: (runId) => read(selectHighestCosts(runId)),
		// Loaded when somebody answers, so that readers start faster.
		answer: async (itemId, status, answer, terms) => {
			const { answerItem } = await import("./answers.ts");
			return change(() => answerItem(itemId, status, answer, terms));
		},
		answerFindings: async (itemId, findings, part, terms) => {
			const { answerFindings } = await import("./finding-answers.ts");
			return change(() => answerFindings(itemId, findings, part, terms));
		},
		requestCancel: (runId) => change(() => markCancelRequested(runId)),
		cancelRequested: (runId) => read(isCancelRequested(runId)),
		events: (runId, options) => read(selectEvents(runId, options)),
		runPage: (query) => read(selectRunPage(query)),
		runOverview: (runId) => read(selectRunOverview(runId)),
		activeRuns: () => read(selectActiveRuns()),
		openItems: () => read(selectOpenItems()),
		eventsAfter: (after, selection, limit) => read(selectEventsAfter(after, selection, limit)),
		newestEvent: () => read(selectNewestEvent()),
		pulse,
	};
}
