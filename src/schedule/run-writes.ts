import type { TaskRecord, Write } from "../store/records.ts";
import type { EventData, EventType, TraceEvent } from "../trace/event.ts";

/** Event of a run, or of one of its tasks outside of its graph; by default as of now. */
export function runEvent<Type extends EventType>(
	run: string,
	type: Type,
	data: EventData[Type],
	about: Partial<Pick<TraceEvent, "task" | "turn" | "node" | "timestamp">> = {},
): Write {
	const timestamp = new Date().toISOString();
	// True because the data are those of the type.
	const event = { task: null, turn: null, node: null, timestamp, ...about, type, data };
	return { kind: "event", run, event: event as TraceEvent };
}

/** End of a task outside of its graph: of one that can never start, that nobody can do, or whose run was cancelled. */
export function taskEnd(
	{ runId, taskId, turns, merged }: TaskRecord,
	end: {
		readonly status: "failed" | "blocked" | "cancelled";
		readonly reason: string | null;
		/** Left out: those that it has stay. */
		readonly flags?: readonly string[];
		readonly checkout?: string | null;
		readonly timestamp: string;
	},
): Write[] {
	const { status, reason, flags, checkout = null, timestamp } = end;
	const patch = {
		status,
		phase: "failed",
		success: false,
		failureReason: reason,
		humanItem: null,
		endedAt: timestamp,
		...(flags === undefined ? {} : { flags }),
	} as const;
	const data = { status, reason, turns, merged, flags: [...(flags ?? [])], checkout };
	return [
		{ kind: "task", runId, taskId, patch },
		runEvent(runId, "task-ended", data, { task: taskId, timestamp }),
	];
}
