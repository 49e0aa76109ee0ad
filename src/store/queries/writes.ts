import type { ConflictRecord } from "../../conflict/conflict.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import { canMove } from "../../kernel/task-state.ts";
import { findingKey } from "../../review/claim.ts";
import { isOpen } from "../../review/finding-state.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { heldText } from "../lease-scope.ts";
import type { CallRecord, Fence, RunRecord, TaskRecord, Write } from "../records.ts";
import type { MetricScore } from "../scores.ts";
import { insertEvent, selectAnswerEvents } from "./events.ts";
import { consumeItem, knownItem, upsertItem } from "./items.ts";
import { requireFence } from "./leases.ts";
import { announce, change, one, type Query } from "./query.ts";
import { addCall, addTime, knownAmount, markWarned } from "./spending.ts";
import {
	calls,
	conflictSubjects,
	conflicts,
	evidence,
	findings,
	pairSessions,
	runs,
	scores,
	steps,
	tasks,
	turns,
} from "./tables.ts";

type WriteOf<Kind extends Write["kind"]> = Extract<Write, { kind: Kind }>;

export const OF_TASK = "run_id = ? AND task_id = ?";
export const OF_TURN = `${OF_TASK} AND turn = ?`;

function* updateRun({ runId, patch }: WriteOf<"run">): Query<void> {
	const changes = yield* runs.update(patch, "run_id = ?", runId);
	if (changes === 0) throw new Error(`run ${runId} is not stored`);
}

function* updateTask({ runId, taskId, patch }: WriteOf<"task">): Query<void> {
	// Locked: the holder of the run may move a task that another process works on.
	const stored = yield* tasks.locked(`WHERE ${OF_TASK}`, runId, taskId);
	if (stored === undefined) throw new Error(`task ${taskId} of run ${runId} is not stored`);
	const { status, merged, humanItem } = patch;
	if (status !== undefined && !canMove(stored.status, status))
		throw new Error(
			`task ${taskId} of run ${runId} may not move from ${stored.status} to ${status}`,
		);
	yield* tasks.update(patch, OF_TASK, runId, taskId);
	if ([status, merged, humanItem].some((each) => each !== undefined)) yield* announce(runId);
}

// A result of undefined is kept as null, so that the step counts as done.
function* replaceStep({ key, result }: WriteOf<"step">): Query<void> {
	const { runId, taskId, turn, step } = key;
	const row = {
		run_id: runId,
		task_id: taskId,
		turn,
		step,
		result: JSON.stringify(result ?? null),
	};
	yield* steps.upsert("run_id, task_id, turn, step", row, {});
}

// Deleted and inserted, so that what was stored last is the last. Of a call that is stored again the totals keep what
// it used up the first time.
function* replaceCall(call: CallRecord): Query<void> {
	const { runId, taskId, turn, role, subtask, usage } = call;
	const once = `${OF_TURN} AND role = ? AND coalesce(subtask, '') = ? AND call = ?`;
	const of = [runId, taskId, turn, role, subtask ?? "", call.call];
	const deleted = yield* change(`DELETE FROM calls WHERE ${once}`, ...of);
	if (deleted === 0) yield* addCall(call);
	yield* calls.insert({ cost_usd: knownAmount(usage?.costUsd) }, call);
}

// Deleted and inserted, so that what was written last is the newest.
function* replaceEvidence(write: WriteOf<"evidence">): Query<void> {
	const { runId, taskId, turn, attempt } = write;
	const { check, purpose } = write.evidence;
	const of = [runId, taskId, turn, check, purpose, attempt];
	const where = `${OF_TURN} AND check_name = ? AND purpose = ? AND attempt = ?`;
	yield* change(`DELETE FROM evidence WHERE ${where}`, ...of);
	yield* evidence.insert({ run_id: runId, task_id: taskId, turn, attempt }, write.evidence);
}

/** Findings are never deleted, so the last place is their number; counting would grow with them. */
export function* countFindings(runId: string, taskId: string): Query<number> {
	const sql = `SELECT max(ordinal) AS last FROM findings WHERE ${OF_TASK}`;
	return Number((yield* one(sql, runId, taskId))?.["last"] ?? 0);
}

/** A finding that is known keeps its place in the order; a new one comes last. */
function* replaceFinding({ runId, taskId, finding }: WriteOf<"finding">): Query<void> {
	const sql = `SELECT ordinal FROM findings WHERE ${OF_TASK} AND finding_id = ?`;
	const known = yield* one(sql, runId, taskId, finding.id);
	const ordinal = Number(known?.["ordinal"] ?? (yield* countFindings(runId, taskId)) + 1);
	const live = isOpen(finding) ? 1 : 0;
	const keys = { run_id: runId, task_id: taskId, ordinal, live, issue_key: findingKey(finding) };
	yield* findings.upsert("run_id, task_id, finding_id", keys, finding);
}

function* replacePairSession({ record }: WriteOf<"pair-session">): Query<void> {
	const { runId, taskId } = record.session;
	yield* pairSessions.upsert("run_id, task_id", { run_id: runId, task_id: taskId }, record);
}

const LATER = { gate: null, human: null, assembled: null };

/** A turn that is scored again keeps what was said of it later, unless its tree is another one. */
const RESCORED = scores.fields
	.map(({ column }) =>
		column in LATER
			? `${column} = CASE WHEN scores.tree = excluded.tree THEN scores.${column} END`
			: `${column} = excluded.${column}`,
	)
	.join(", ");

const bare = ({ type, weight, score, evaluator_agent }: MetricScore): MetricScore =>
	evaluator_agent === undefined
		? { type, weight, score }
		: { type, weight, score, evaluator_agent };

function* upsertScore({ score }: WriteOf<"score">): Query<void> {
	const scored = { ...score, ...LATER, metrics: score.metrics.map(bare) };
	yield* scores.insert({}, scored, `ON CONFLICT (run_id, task_id, turn) DO UPDATE SET ${RESCORED}`);
}

/** Stores an attempt. One that is stored already stays as it is. @returns how many were stored: 1 or 0 */
export const insertConflictRecord = (record: ConflictRecord): Query<number> =>
	conflicts.insert({}, record, "ON CONFLICT (conflict_id) DO NOTHING");

function* insertConflict({ runId, record, about }: WriteOf<"conflict">): Query<void> {
	if ((yield* insertConflictRecord(record)) === 0) return;
	const { taskId, conflictId } = record;
	yield* conflictSubjects.insert(
		{ run_id: runId, task_id: taskId, conflict_id: conflictId },
		about,
	);
}

function* markConflictPaused({ runId, conflictId }: WriteOf<"conflict-paused">): Query<boolean> {
	const place = "WHERE conflict_id = ? AND run_id = ?";
	const sql = `UPDATE conflict_subjects SET paused = 1 ${place} AND paused = 0`;
	if ((yield* change(sql, conflictId, runId)) > 0) return true;
	const known = yield* one(`SELECT seq FROM conflict_subjects ${place}`, conflictId, runId);
	if (known === undefined) throw new Error(`conflict ${conflictId} of run ${runId} is not stored`);
	return false;
}

function* consume(fence: Fence, itemId: string): Query<readonly StoredEvent[]> {
	if (!(yield* consumeItem(fence.runId, itemId))) return [];
	return yield* selectAnswerEvents(fence.runId, yield* knownItem(itemId));
}

function* apply(fence: Fence, write: Write): Query<readonly StoredEvent[]> {
	switch (write.kind) {
		case "run":
			yield* updateRun(write);
			return [];
		case "task":
			yield* updateTask(write);
			return [];
		case "step":
			yield* replaceStep(write);
			return [];
		case "call":
			yield* replaceCall(write.call);
			return [];
		case "turn":
			yield* turns.upsert("run_id, task_id, turn", {}, write.turn);
			return [];
		case "evidence":
			yield* replaceEvidence(write);
			return [];
		case "finding":
			yield* replaceFinding(write);
			return [];
		case "pair-session":
			yield* replacePairSession(write);
			return [];
		case "score":
			yield* upsertScore(write);
			return [];
		case "score-outcome":
			yield* scores.update(write.patch, OF_TURN, write.runId, write.taskId, write.turn);
			return [];
		case "conflict":
			yield* insertConflict(write);
			return [];
		case "item":
			yield* upsertItem(write.item);
			return [];
		case "time":
			yield* addTime(write);
			return [];
		case "item-consumed":
			return yield* consume(fence, write.itemId);
		case "event":
			return [yield* insertEvent(write.run, write.event)];
		case "conflict-paused":
			return (yield* markConflictPaused(write))
				? [yield* insertEvent(write.runId, write.event)]
				: [];
		case "budget-warned":
			return (yield* markWarned(write)) ? [yield* insertEvent(write.runId, write.event)] : [];
		default:
			return assertNever(write);
	}
}

interface Owner {
	/** Undefined where only the stored row knows it. */
	readonly runId: string | undefined;
	/** Null for what is of the run as a whole, undefined for what any task of it may write. */
	readonly taskId: string | null | undefined;
}

function ownerOf(write: Write): Owner {
	switch (write.kind) {
		case "run":
			return { runId: write.runId, taskId: isReopened(write.patch) ? undefined : null };
		case "task":
		case "evidence":
		case "finding":
		case "score-outcome":
			return write;
		case "budget-warned":
			return { runId: write.runId, taskId: write.taskId ?? undefined };
		case "time":
		case "conflict":
		case "conflict-paused":
			return { runId: write.runId, taskId: undefined };
		case "step":
			return write.key;
		case "call":
			return write.call;
		case "turn":
			return write.turn;
		case "pair-session":
			return write.record.session;
		case "score":
			return write.score;
		case "item":
			return write.item;
		case "event":
			return { runId: write.run, taskId: write.event.task };
		case "item-consumed":
			return { runId: undefined, taskId: undefined };
		default:
			return assertNever(write);
	}
}

/** A merge says so: what landed before does not hold it. */
function isReopened(patch: Extract<Write, { kind: "run" }>["patch"]): boolean {
	return patch.landedCommit === null && Object.keys(patch).length === 1;
}

/** Checks that a fence may write this, see {@link Fence}; all else is a bug and throws. */
function requireOwn(fence: Fence, write: Write): void {
	const { runId, taskId } = ownerOf(write);
	if (runId !== undefined) requireRun(fence, runId);
	if (fence.scope === "run") return;
	if (fence.scope !== "integration" && (taskId === undefined || taskId === fence.scope.task))
		return;
	throw new Error(
		`a fence of ${heldText(fence.runId, fence.scope)} may not write a ${write.kind} of ${taskId ?? "the run"}`,
	);
}

function requireWhole(fence: Fence, runIds: readonly string[]): void {
	for (const runId of runIds) requireRun(fence, runId);
	if (fence.scope !== "run")
		throw new Error(`a fence of ${heldText(fence.runId, fence.scope)} may not make a run`);
}

function requireRun(fence: Fence, runId: string): void {
	if (runId !== fence.runId)
		throw new Error(`a fence of run ${fence.runId} may not write for run ${runId}`);
}

function* applyAll(fence: Fence, writes: readonly Write[]): Query<readonly StoredEvent[]> {
	const events: StoredEvent[] = [];
	// The time of a run comes last: all of its holders add to one row, which is then locked as briefly as can be.
	const isTime = ({ kind }: Write): number => (kind === "time" ? 1 : 0);
	for (const write of writes.toSorted((one, other) => isTime(one) - isTime(other))) {
		requireOwn(fence, write);
		events.push(...(yield* apply(fence, write)));
	}
	return events;
}

export function* commitWrites(
	fence: Fence,
	writes: readonly Write[],
): Query<readonly StoredEvent[]> {
	yield* requireFence(fence);
	return yield* applyAll(fence, writes);
}

export function* createRun(
	run: RunRecord,
	ofRun: readonly TaskRecord[],
	fence: Fence,
	writes: readonly Write[] = [],
): Query<readonly StoredEvent[]> {
	yield* requireFence(fence);
	requireWhole(fence, [run.runId, ...ofRun.map((task) => task.runId)]);
	yield* runs.insert({ workflow_name: run.workflow.name }, run);
	yield* announce(run.runId);
	for (const task of ofRun) yield* tasks.insert({}, task);
	return yield* applyAll(fence, writes);
}
