import type { StoredEvent } from "../../src/web/protocol.ts";
import { eventText } from "../../src/words/events/event-text.ts";
import type { Tone } from "../../src/words/states.ts";

export interface EventLine {
	readonly id: number;
	readonly at: string;
	readonly task: string | null;
	readonly turn: number | null;
	readonly text: string;
	readonly tone: Tone;
}

/**
 * An event as a line; null for what says nothing new to a person, such as a node that was passed through.
 *
 * @param room characters that a line keeps
 */
export function eventLine(event: StoredEvent, room = 400): EventLine | null {
	const { short, tone = "quiet" } = eventText(event);
	if (short === undefined) return null;
	const { id, timestamp: at, task, turn } = event;
	return { id, at, task, turn, text: short.slice(0, room), tone };
}
