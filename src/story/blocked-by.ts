import { isDelivered } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";

export interface BlockedBy {
	/** The task that failed, was cancelled or was not merged: the first cause. */
	readonly task: string;
	/** The dependency that it blocks as well; null where the task depends on the cause itself. */
	readonly through: string | null;
}

type Told = Pick<TaskRecord, "taskId" | "status" | "merged" | "flags">;

const isStopped = ({ status }: Told): boolean =>
	status === "failed" || status === "blocked" || status === "cancelled";
/** A formal review has nothing to merge and blocks nobody, so what is stopped comes before it. */
const isUnmerged = (task: Told): boolean => task.status === "completed" && !isDelivered(task);

/**
 * What each blocked task is blocked by in the end, and through which task of its own list.
 *
 * @param tasks in dependency order
 * @returns by task id; a task that is not blocked is left out
 * @example where a failed, b depends on a, and c on b, `c` has `{ task: "a", through: "b" }`
 */
export function blockersOf(
	tasks: readonly Told[],
	dependsOn: (taskId: string) => readonly string[],
): ReadonlyMap<string, BlockedBy> {
	const byId = new Map(tasks.map((task) => [task.taskId, task]));
	const found = new Map<string, BlockedBy>();
	for (const { taskId, status } of tasks) {
		if (status !== "blocked") continue;
		const needed = dependsOn(taskId).flatMap((id) => byId.get(id) ?? []);
		const first = needed.find(isStopped) ?? needed.find(isUnmerged);
		if (first === undefined) continue;
		const cause = found.get(first.taskId);
		found.set(
			taskId,
			cause === undefined
				? { task: first.taskId, through: null }
				: { task: cause.task, through: first.taskId },
		);
	}
	return found;
}
