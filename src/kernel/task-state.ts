/** Status of a task: a closed set; `canMove` says which changes are legal. */
export type TaskStatus =
	| "pending"
	| "running"
	| "needs_rework"
	| "paused_for_human"
	| "completed"
	| "failed"
	| "blocked"
	| "cancelled";

/** Status of a run, as the contract prints it. */
export type RunStatus =
	| "running"
	| "paused_for_user_escalation"
	| "completed"
	| "failed"
	| "cancelled";

/** Work on a task, as shown to people. */
export type TaskPhase =
	| "initializing"
	| "player_implementing"
	| "validating"
	| "validated"
	| "verifying"
	| "verifying_dispatched"
	| "verified"
	| "verification_skipped"
	| "verification_failed"
	| "coach_validating"
	| "resolving_conflict"
	| "scoring"
	| "gating"
	| "processing_feedback"
	| "awaiting_human"
	| "merging"
	| "completed"
	| "failed"
	| "escalated";

/** Flag of a completed task whose work was there when it began, so that it has nothing to merge. */
export const ALREADY_DONE = "already_done";

/** Tells whether the integration branch has all that a completed task was for. */
export function isDelivered(task: {
	readonly merged: boolean;
	readonly flags: readonly string[];
}): boolean {
	return task.merged || task.flags.includes(ALREADY_DONE);
}

const MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
	pending: ["running", "blocked", "cancelled"],
	running: ["needs_rework", "paused_for_human", "completed", "failed", "cancelled"],
	needs_rework: ["running", "paused_for_human", "failed", "cancelled"],
	paused_for_human: ["running", "needs_rework", "failed", "cancelled"],
	completed: [],
	// A failed task is reopened by `spar resume --max-turns N`, and with it those that it blocked.
	failed: ["running"],
	blocked: ["pending"],
	cancelled: [],
};

/** Tells whether a task may change from one status to another; staying is always legal. */
export function canMove(from: TaskStatus, to: TaskStatus): boolean {
	return from === to || MOVES[from].includes(to);
}

/** Tells whether nothing more happens to a task of this status by itself. */
export function isEnded(status: TaskStatus): boolean {
	return (
		status === "completed" || status === "failed" || status === "blocked" || status === "cancelled"
	);
}
