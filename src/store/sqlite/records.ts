import { assertNever } from "../../kernel/assert-never.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { Fence, Records, Write } from "../records.ts";
import { replaceCall, selectCalls } from "./calls.ts";
import { insertConflict, markConflictPaused, selectConflicts } from "./conflict-rows.ts";
import type { Database } from "./database.ts";
import { insertEvent, selectEvents } from "./events.ts";
import { replaceEvidence, selectEvidence, selectEvidenceFor } from "./evidence-rows.ts";
import { assertFence } from "./fence.ts";
import { answerFindings } from "./finding-answers.ts";
import {
	countFindings,
	replaceFinding,
	selectFindings,
	selectFindingsByIssue,
	selectOpenFindings,
} from "./findings.ts";
import { answerItem, consumeItem, selectItem, selectItems, upsertItem } from "./items.ts";
import { replacePairSession, selectPairSession } from "./pair-sessions.ts";
import {
	insertRun,
	isCancelRequested,
	markCancelRequested,
	selectRun,
	selectRuns,
	updateRun,
} from "./runs.ts";
import { selectScores, updateScoreOutcome, upsertScore } from "./score-rows.ts";
import { addTime, markWarned, selectHighestCosts, selectSpending } from "./spending.ts";
import { replaceStep, selectStep } from "./steps.ts";
import { insertTask, selectTask, selectTasks, updateTask } from "./tasks.ts";
import { replaceTurn, selectTurn, selectTurns } from "./turns.ts";

/** The run that a write belongs to; undefined where only the stored row knows it. */
function runOf(write: Write): string | undefined {
	switch (write.kind) {
		case "run":
		case "task":
		case "evidence":
		case "finding":
		case "time":
		case "budget-warned":
		case "score-outcome":
		case "conflict":
		case "conflict-paused":
			return write.runId;
		case "step":
			return write.key.runId;
		case "call":
			return write.call.runId;
		case "turn":
			return write.turn.runId;
		case "pair-session":
			return write.record.session.runId;
		case "score":
			return write.score.runId;
		case "item":
			return write.item.runId;
		case "event":
			return write.run;
		case "item-consumed":
			return undefined;
		default:
			return assertNever(write);
	}
}

function assertOwn(fence: Fence, runId: string | undefined): void {
	if (runId === undefined || runId === fence.runId) return;
	throw new Error(`a fence of run ${fence.runId} may not write for run ${runId}`);
}

function apply(db: Database, fence: Fence, write: Write): StoredEvent | undefined {
	assertOwn(fence, runOf(write));
	switch (write.kind) {
		case "run":
			updateRun(db, write.runId, write.patch);
			return undefined;
		case "task":
			updateTask(db, write.runId, write.taskId, write.patch);
			return undefined;
		case "step":
			replaceStep(db, write.key, write.result);
			return undefined;
		case "call":
			replaceCall(db, write.call);
			return undefined;
		case "turn":
			replaceTurn(db, write.turn);
			return undefined;
		case "evidence":
			replaceEvidence(db, write);
			return undefined;
		case "finding":
			replaceFinding(db, write.runId, write.taskId, write.finding);
			return undefined;
		case "pair-session":
			replacePairSession(db, write.record);
			return undefined;
		case "score":
			upsertScore(db, write.score);
			return undefined;
		case "score-outcome":
			updateScoreOutcome(db, write);
			return undefined;
		case "conflict":
			insertConflict(db, write);
			return undefined;
		case "conflict-paused":
			return markConflictPaused(db, write) ? insertEvent(db, write.runId, write.event) : undefined;
		case "item":
			upsertItem(db, write.item);
			return undefined;
		case "item-consumed":
			consumeItem(db, fence.runId, write.itemId);
			return undefined;
		case "event":
			return insertEvent(db, write.run, write.event);
		case "time":
			addTime(db, write);
			return undefined;
		case "budget-warned":
			return markWarned(db, write) ? insertEvent(db, write.runId, write.event) : undefined;
		default:
			return assertNever(write);
	}
}

/** The records of a repository in SQLite. The database stays the caller's to close. */
export function sqliteRecords(db: Database): Records {
	return {
		createRun: async (run, tasks, fence, writes = []) =>
			db.immediate(() => {
				assertFence(db, fence);
				for (const runId of [run.runId, ...tasks.map((task) => task.runId)])
					assertOwn(fence, runId);
				insertRun(db, run);
				for (const task of tasks) insertTask(db, task);
				return writes.flatMap((write) => apply(db, fence, write) ?? []);
			}),
		commit: async (fence, writes) => {
			const events = db.unsynced(() => {
				assertFence(db, fence);
				return writes.flatMap((write) => apply(db, fence, write) ?? []);
			});
			// Without writes only the fence was looked at: nothing has to reach the disk.
			if (writes.length > 0) await db.synced();
			return events;
		},
		runs: async () => selectRuns(db),
		run: async (runId) => selectRun(db, runId),
		tasks: async (runId) => selectTasks(db, runId),
		task: async (runId, taskId) => selectTask(db, runId, taskId),
		step: async (key) => selectStep(db, key),
		calls: async (runId, taskId, turn, role) => selectCalls(db, runId, taskId, turn, role),
		turns: async (runId, taskId, limit) => selectTurns(db, runId, taskId, limit),
		turn: async (runId, taskId, turn) => selectTurn(db, runId, taskId, turn),
		evidence: async (runId, taskId, turn) => selectEvidence(db, runId, taskId, turn),
		evidenceFor: async (runId, tree, definition) => selectEvidenceFor(db, runId, tree, definition),
		findings: async (runId, taskId) => selectFindings(db, runId, taskId),
		openFindings: async (runId, taskId) => selectOpenFindings(db, runId, taskId),
		findingsByIssue: async (runId, taskId, keys) => selectFindingsByIssue(db, runId, taskId, keys),
		findingCount: async (runId, taskId) => countFindings(db, runId, taskId),
		conflicts: async (runId, taskId) => selectConflicts(db, runId, taskId),
		pairSession: async (runId, taskId) => selectPairSession(db, runId, taskId),
		scores: async () => selectScores(db),
		items: async (runId) => selectItems(db, runId),
		item: async (itemId) => selectItem(db, itemId),
		spending: async (runId) => db.snapshot(() => selectSpending(db, runId)),
		highestCosts: async (runId) => selectHighestCosts(db, runId),
		answer: async (itemId, status, answer, grant) =>
			db.immediate(() => answerItem(db, itemId, status, answer, grant)),
		answerFindings: async (itemId, findings, part) =>
			db.immediate(() => answerFindings(db, itemId, findings, part)),
		requestCancel: async (runId) => db.immediate(() => markCancelRequested(db, runId)),
		cancelRequested: async (runId) => isCancelRequested(db, runId),
		events: async (runId, options) => selectEvents(db, runId, options),
	};
}
