import { assertNever } from "../../kernel/assert-never.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { requireOwn, requireWhole } from "../own-writes.ts";
import type { Fence, Records, Write } from "../records.ts";
import { replaceCall, selectCalls, selectTaskCalls } from "./calls.ts";
import { insertConflict, markConflictPaused, selectConflicts } from "./conflict-rows.ts";
import type { Database } from "./database.ts";
import { insertEvent, selectAnswerEvents, selectEvents, selectEventsAfter } from "./events.ts";
import { replaceEvidence, selectEvidence, selectEvidenceFor } from "./evidence-rows.ts";
import { assertFence } from "./fence.ts";
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
import {
	newestEvent,
	pulseOf,
	selectActiveRuns,
	selectRunOverview,
	selectRunPage,
} from "./overviews.ts";
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

function apply(db: Database, fence: Fence, write: Write): readonly StoredEvent[] {
	requireOwn(fence, write);
	switch (write.kind) {
		case "run":
			updateRun(db, write.runId, write.patch);
			return [];
		case "task":
			updateTask(db, write.runId, write.taskId, write.patch);
			return [];
		case "step":
			replaceStep(db, write.key, write.result);
			return [];
		case "call":
			replaceCall(db, write.call);
			return [];
		case "turn":
			replaceTurn(db, write.turn);
			return [];
		case "evidence":
			replaceEvidence(db, write);
			return [];
		case "finding":
			replaceFinding(db, write.runId, write.taskId, write.finding);
			return [];
		case "pair-session":
			replacePairSession(db, write.record);
			return [];
		case "score":
			upsertScore(db, write.score);
			return [];
		case "score-outcome":
			updateScoreOutcome(db, write);
			return [];
		case "conflict":
			insertConflict(db, write);
			return [];
		case "conflict-paused":
			return markConflictPaused(db, write) ? [insertEvent(db, write.runId, write.event)] : [];
		case "item":
			upsertItem(db, write.item);
			return [];
		case "item-consumed":
			return consumeItem(db, fence.runId, write.itemId)
				? selectAnswerEvents(db, fence.runId, knownItem(db, write.itemId))
				: [];
		case "event":
			return [insertEvent(db, write.run, write.event)];
		case "time":
			addTime(db, write);
			return [];
		case "budget-warned":
			return markWarned(db, write) ? [insertEvent(db, write.runId, write.event)] : [];
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
				requireWhole(fence, [run.runId, ...tasks.map((task) => task.runId)]);
				insertRun(db, run);
				for (const task of tasks) insertTask(db, task);
				return writes.flatMap((write) => apply(db, fence, write));
			}),
		commit: async (fence, writes) => {
			const events = db.unsynced(() => {
				assertFence(db, fence);
				return writes.flatMap((write) => apply(db, fence, write));
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
		taskCalls: async (runId, taskId) => selectTaskCalls(db, runId, taskId),
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
		// Loaded when somebody answers, so that readers start faster.
		answer: async (itemId, status, answer, terms) => {
			const { answerItem } = await import("./answers.ts");
			return db.immediate(() => answerItem(db, itemId, status, answer, terms));
		},
		answerFindings: async (itemId, findings, part, terms) => {
			const { answerFindings } = await import("./finding-answers.ts");
			return db.immediate(() => answerFindings(db, itemId, findings, part, terms));
		},
		requestCancel: async (runId) => db.immediate(() => markCancelRequested(db, runId)),
		cancelRequested: async (runId) => isCancelRequested(db, runId),
		events: async (runId, options) => selectEvents(db, runId, options),
		runPage: async (query) => selectRunPage(db, query),
		runOverview: async (runId) => selectRunOverview(db, runId),
		activeRuns: async () => selectActiveRuns(db),
		openItems: async () => selectOpenItems(db),
		eventsAfter: async (after, selection, limit) => selectEventsAfter(db, after, selection, limit),
		newestEvent: async () => newestEvent(db),
		pulse: () => pulseOf(db),
	};
}
