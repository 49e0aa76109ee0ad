import { isDelivered, type RunStatus, type TaskStatus } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";

/** `waiting`: for a dependency or a person. `blocked`: can never start. */
export type Readiness = "ready" | "waiting" | "blocked" | "ended";

export interface ScheduleView {
	readonly tasks: ReadonlyMap<string, TaskRecord>;
	readonly dependsOn: (taskId: string) => readonly string[];
	readonly answered: ReadonlySet<string>;
	/** True when a dependency must be merged before its dependants start. */
	readonly merges: boolean;
	readonly reviews: ReadonlySet<string>;
}

export function readinessOf(task: TaskRecord, view: ScheduleView): Readiness {
	switch (task.status) {
		case "completed":
		case "failed":
		case "blocked":
		case "cancelled":
			return "ended";
		case "running":
		case "needs_rework":
			return "ready";
		case "paused_for_human":
			return task.humanItem !== null && view.answered.has(task.humanItem) ? "ready" : "waiting";
		case "pending":
			return readinessOfPending(task, view);
	}
}

function readinessOfPending(task: TaskRecord, view: ScheduleView): Readiness {
	if (obstacleOf(task, view) !== null) return "blocked";
	const done = view
		.dependsOn(task.taskId)
		.every((id) => view.tasks.get(id)?.status === "completed");
	return done ? "ready" : "waiting";
}

/** Why a pending task can never start; null when it can. */
export function obstacleOf(task: TaskRecord, view: ScheduleView): string | null {
	for (const id of view.dependsOn(task.taskId)) {
		const needed = view.tasks.get(id);
		if (needed === undefined) return `depends on ${id}, which is not part of this run`;
		if (
			needed.status === "failed" ||
			needed.status === "blocked" ||
			needed.status === "cancelled"
		) {
			return `depends on ${id}, which is ${needed.status}`;
		}
		const isHeldBack = needed.status === "completed" && !isDelivered(needed);
		if (isHeldBack && view.merges && !view.reviews.has(id)) {
			return `depends on ${id}, which completed but was not merged`;
		}
	}
	return null;
}

/**
 * The status of a run whose tasks have all stopped: waiting for a person, before cancelled, failed and completed.
 *
 * @example `runStatusOf(["completed", "paused_for_human"])` is `"paused_for_user_escalation"`
 */
export function runStatusOf(statuses: readonly TaskStatus[]): RunStatus {
	if (statuses.includes("paused_for_human")) return "paused_for_user_escalation";
	if (statuses.includes("cancelled")) return "cancelled";
	if (statuses.some((status) => status === "failed" || status === "blocked")) return "failed";
	return statuses.every((status) => status === "completed") ? "completed" : "running";
}
