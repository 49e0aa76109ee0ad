import type { TaskRecord, Write } from "../../store/records.ts";
import { runEvent } from "./run-event.ts";

/** A task that nobody can do fails before it begins; those that depend on it are then blocked. */
export function endLost({ runId, taskId, status }: TaskRecord, reason: string): Write[] {
	const timestamp = new Date().toISOString();
	const end = { success: false, failureReason: reason, flags: ["role_error"], endedAt: timestamp };
	const data = { status: "failed", reason, turns: 0, merged: false, checkout: null } as const;
	const event = { type: "task-ended", task: taskId, turn: null, node: null, timestamp } as const;
	return [
		// Nothing fails that never ran.
		...(status === "running"
			? []
			: [{ kind: "task", runId, taskId, patch: { status: "running" } } as const]),
		{ kind: "task", runId, taskId, patch: { ...end, status: "failed", phase: "failed" } },
		runEvent(runId, { ...event, data: { ...data, flags: ["role_error"] } }),
	];
}
