import { assertNever } from "../kernel/assert-never.ts";
import type { TaskStatus } from "../kernel/task-state.ts";
import type { TaskReport } from "./sparring.ts";

/** How one task came out: what `runTask`, `runParallel` and `resume` of a task give. */
export interface TaskResult {
	readonly taskId: string;
	/**
	 * `true`: completed. `false`: failed, cancelled, or blocked by a task that is. `null`: neither yet, since it waits for
	 * a person, or for a task that does; `resume` takes it on after the answer.
	 */
	readonly success: boolean | null;
	/** Turns that have begun; 0 for a task that never did. */
	readonly turns: number;
	/** Why it is not a success, in one sentence; null exactly when `success` is true. */
	readonly failureReason: string | null;
	/** Relative to the root of the repository. Written before the result is given; null when `keep_runs` removed it. */
	readonly tracePath: string | null;
}

/** What of a task's report its result is made of. */
export type ReportedTask = Pick<
	TaskReport,
	"status" | "turns" | "failure_reason" | "human_item" | "trace_path"
>;

/**
 * The result of a task, from the report of its run.
 *
 * @param dependsOn ids of the tasks that it directly depends on
 * @example a task that waits for a person gives `success: null` and the id of the question
 */
export function taskResult(
	taskId: string,
	tasks: Readonly<Record<string, ReportedTask>>,
	dependsOn: readonly string[],
): TaskResult {
	const task = tasks[taskId];
	if (task === undefined) throw new Error(`the report has no task ${taskId}`);
	const { turns, trace_path: tracePath } = task;
	const waitsFor = dependsOn.filter((id) => tasks[id]?.status !== "completed");
	return { taskId, turns, tracePath, ...outcomeOf(task, waitsFor) };
}

type Outcome = Pick<TaskResult, "success" | "failureReason">;

function outcomeOf(task: ReportedTask, waitsFor: readonly string[]): Outcome {
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
				failureReason: `Escalated for human review${item === null ? "" : `: question ${item}`}`,
			};
		case "pending":
			return { success: null, failureReason: unbegun(waitsFor) };
		case "running":
		case "needs_rework":
			return { success: null, failureReason: "Interrupted; resume takes it on" };
		default:
			return assertNever(status);
	}
}

const ENDED: Readonly<Record<Extract<TaskStatus, "failed" | "cancelled" | "blocked">, string>> = {
	failed: "Failed without a reason",
	cancelled: "Cancelled",
	blocked: "Blocked by a task that it depends on",
};

const unbegun = (waitsFor: readonly string[]): string =>
	waitsFor.length === 0 ? "Not begun" : `Not begun: waits for ${waitsFor.join(", ")}`;
