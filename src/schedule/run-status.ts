import type { RunStatus, TaskStatus } from "../kernel/task-state.ts";

/**
 * Status of a run from its tasks, when nothing more happens by itself: waiting before failed before completed.
 *
 * @example `runStatusOf(["completed", "paused_for_human"])` is `"paused_for_user_escalation"`
 */
export function runStatusOf(statuses: readonly TaskStatus[]): RunStatus {
	if (statuses.includes("paused_for_human")) return "paused_for_user_escalation";
	if (statuses.includes("cancelled")) return "cancelled";
	if (statuses.some((status) => status === "failed" || status === "blocked")) return "failed";
	return statuses.every((status) => status === "completed") ? "completed" : "running";
}
