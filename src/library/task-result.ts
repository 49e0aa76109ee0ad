import { assertNever } from "../kernel/assert-never.ts";
import type { TaskStatus } from "../kernel/task-state.ts";
import type { TaskReport } from "../view/report.ts";
import { taskStanding } from "../words/standing.ts";

/** Result of one task: what `runTask`, `runParallel` and `resume` of a task give. */
export interface TaskResult {
	readonly taskId: string;
	/**
	 * `true`: completed. `false`: failed, cancelled, stopped by an error, or held up by a task that is. `null`: neither
	 * yet, since it waits for a person, or for a task that does; `resume` takes it on after the answer.
	 */
	readonly success: boolean | null;
	/** Turns that have begun; 0 for a task that never did. */
	readonly turns: number;
	/** Reason why it is not a success, in one sentence; null exactly when `success` is true. */
	readonly failureReason: string | null;
	/** Relative to the root of the repository. Written before the result is given; null when `keep_runs` removed it. */
	readonly tracePath: string | null;
}

export type ReportedTask = Pick<
	TaskReport,
	"status" | "turns" | "failure_reason" | "human_item" | "human_item_answered" | "trace_path"
>;

export interface ReportedTasks {
	readonly tasks: Readonly<Record<string, ReportedTask>>;
	readonly dependsOn: (taskId: string) => readonly string[];
	readonly stopped: ReadonlyMap<string, unknown>;
}

export function taskResult(taskId: string, all: ReportedTasks): TaskResult {
	const task = all.tasks[taskId];
	if (task === undefined) throw new Error(`the report has no task ${taskId}`);
	const { turns, trace_path: tracePath } = task;
	const { success, failureReason } = outcomeOf(taskId, task, all);
	return { taskId, success, turns, failureReason, tracePath };
}

type TaskOutcome = Pick<TaskResult, "success" | "failureReason">;

function outcomeOf(taskId: string, task: ReportedTask, all: ReportedTasks): TaskOutcome {
	const { status, failure_reason: reason, human_item: item } = task;
	switch (status) {
		case "completed":
			return { success: true, failureReason: null };
		case "failed":
		case "cancelled":
		case "blocked":
			return { success: false, failureReason: reason ?? ENDED[status] };
		case "paused_for_human":
			return {
				success: null,
				failureReason: `${pausedText(task)}${item === null ? "" : `: question ${item}`}`,
			};
		case "pending":
		case "running":
		case "needs_rework":
			return all.stopped.has(taskId)
				? { success: false, failureReason: `Stopped: ${textOf(all.stopped.get(taskId))}` }
				: waiting(taskId, task, all);
		default:
			return assertNever(status);
	}
}

function pausedText(task: ReportedTask): string {
	const { remark } = taskStanding(task);
	return remark === null ? "Escalated for human review" : `Answered, ${remark}`;
}

function waiting(taskId: string, { status }: ReportedTask, all: ReportedTasks): TaskOutcome {
	if (status !== "pending")
		return { success: null, failureReason: "Interrupted; resume takes it on" };
	const open = openBefore(taskId, all);
	const stopped = open.find((id) => all.stopped.has(id));
	if (stopped !== undefined)
		return { success: false, failureReason: `depends on ${stopped}, which an error stopped` };
	return {
		success: null,
		failureReason: open.length === 0 ? "Not begun" : `Not begun: waits for ${open.join(", ")}`,
	};
}

function openBefore(taskId: string, { tasks, dependsOn }: ReportedTasks): readonly string[] {
	const open = new Set<string>();
	const add = (id: string): void => {
		for (const before of dependsOn(id)) if (tasks[before]?.status !== "completed") open.add(before);
	};
	add(taskId);
	// A set yields what is added while it is walked through.
	for (const id of open) add(id);
	return [...open];
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const ENDED: Readonly<Record<Extract<TaskStatus, "failed" | "cancelled" | "blocked">, string>> = {
	failed: "Failed without a reason",
	cancelled: "Cancelled",
	blocked: "Blocked by a task that it depends on",
};
