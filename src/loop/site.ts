import type { EventData, EventType, TraceEvent } from "../trace/event.ts";

/** Where something happened: the turn and the node. */
export interface Site {
	readonly turn: number;
	readonly node: string;
}

/**
 * An event of a task.
 *
 * @param now milliseconds since the epoch
 */
export function taskEvent<Type extends EventType>(
	task: string,
	{ turn, node }: Site,
	now: number,
	type: Type,
	data: EventData[Type],
): TraceEvent {
	const timestamp = new Date(now).toISOString();
	// `data` is what the union demands for `type`; TypeScript cannot follow that through a generic.
	return { type, task, turn, node, timestamp, data } as TraceEvent;
}
