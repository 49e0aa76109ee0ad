import {
	type CoachReport,
	type PlayerReport,
	parseCoachReport,
	parsePlayerReport,
} from "../agents/report.ts";
import type { Role } from "../kernel/roles.ts";
import type { TaskPhase, TaskStatus } from "../kernel/task-state.ts";
import { threadOf } from "../loop/state.ts";
import type { CallRecord, Records, TaskRecord } from "../store/records.ts";

/** State of a task: the orchestrator's of the founding document, read from the records at any time. */
export interface LoadedState {
	readonly runId: string;
	readonly taskId: string;
	/** The `thread_id` of LangGraph, until the task has ended; see `buildGraph`. */
	readonly threadId: string;
	/** null without one. */
	readonly featureId: string | null;
	/** As they were stored when the run began. */
	readonly requirements: {
		readonly description: string;
		readonly acceptanceCriteria: readonly string[];
		readonly contextFiles: readonly string[];
	};
	readonly status: TaskStatus;
	readonly phase: TaskPhase;
	/** Turns that have begun; 0 before the first. */
	readonly turnCount: number;
	/** The bound in force. */
	readonly maxTurns: number;
	/** ISO 8601 UTC; null before the task began. */
	readonly startedAt: string | null;
	/** Of the last turn; null where there is none that can be read. */
	readonly playerReport: PlayerReport | null;
	/** Likewise; a raw answer, that `coachDecision` need not follow. */
	readonly coachFeedback: CoachReport | null;
	/** The effective verdict of the last turn. */
	readonly coachDecision: "pending" | "approve" | "feedback";
	/** The coach's reports of all turns, the oldest first. */
	readonly feedbackHistory: readonly CoachReport[];
	/** null while the task has not ended. */
	readonly success: boolean | null;
	readonly failureReason: string | null;
}

export async function newestRecord(
	records: Pick<Records, "runs" | "task">,
	taskId: string,
): Promise<TaskRecord | undefined> {
	for (const { runId } of await records.runs()) {
		const task = await records.task(runId, taskId);
		if (task !== undefined) return task;
	}
	return undefined;
}

export async function loadState(records: Records, taskId: string): Promise<LoadedState | null> {
	const task = await newestRecord(records, taskId);
	if (task === undefined) return null;
	const { runId, turns } = task;
	const workflow = (await records.run(runId))?.workflow;
	const definition = workflow?.tasks.find(({ id }) => id === taskId);
	const lastCall = async (turn: number, role: Role): Promise<CallRecord | undefined> =>
		(await records.calls(runId, taskId, turn, role)).findLast(
			({ outcome }) => outcome === "answered",
		);
	const feedback: (CoachReport | null)[] = [];
	for (let turn = 1; turn <= turns; turn += 1) {
		const parsed = parseCoachReport((await lastCall(turn, "coach"))?.report ?? null);
		feedback.push(parsed.ok ? parsed.report : null);
	}
	const player = parsePlayerReport((await lastCall(turns, "player"))?.report ?? null);
	const last = await records.turn(runId, taskId, turns);
	return {
		runId,
		taskId,
		threadId: threadOf(runId, taskId, task.epoch),
		featureId: definition?.featureId ?? null,
		requirements: {
			description: definition?.description ?? "",
			acceptanceCriteria: definition?.acceptanceCriteria ?? [],
			contextFiles: definition?.contextFiles ?? [],
		},
		status: task.status,
		phase: task.phase,
		turnCount: turns,
		maxTurns: task.bound,
		startedAt: task.startedAt,
		playerReport: player.ok ? player.report : null,
		coachFeedback: feedback.at(-1) ?? null,
		coachDecision: last?.effective ?? "pending",
		feedbackHistory: feedback.filter((report) => report !== null),
		success: task.success,
		failureReason: task.failureReason,
	};
}
