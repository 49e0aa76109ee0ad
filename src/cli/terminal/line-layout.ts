import type { StoredEvent } from "../../trace/event.ts";
import { eventText } from "../../words/events/event-text.ts";
import { seatName } from "../../words/states.ts";
import type { Paint } from "./paint.ts";

export function lineText(event: StoredEvent): string | undefined {
	const { short } = eventText(event);
	// It is told as notices, in the error, or in the question.
	if (event.type === "preflight-ended") return undefined;
	if (event.type === "item-opened") {
		return `${short}; see your choices with: spar questions ${event.data.item}`;
	}
	if (event.type !== "agent-called" || event.data.call > 1) return short;
	// The turn's own lines tell of any other first call.
	const { role, agent } = event.data;
	return role === "planner" ? `${seatName(role, agent)} reads the requirements` : undefined;
}

// `margin`: where the text begins at the earliest, so that mixed lines of several tasks can be read.
export function renderLine(
	event: StoredEvent,
	paint: Paint,
	margin: number = 0,
): string | undefined {
	const text = lineText(event);
	if (text === undefined) return undefined;
	const { tone } = eventText(event);
	const isPlain = tone === undefined || tone === "quiet" || tone === "live";
	const line = isPlain ? text : paint(tone, text);
	if (event.task === null) return line;
	const turn = event.turn === null || event.turn === 0 ? "" : `, turn ${event.turn}`;
	const blanks = " ".repeat(Math.max(0, margin - `${event.task}${turn}: `.length));
	return `${paint("strong", event.task)}${turn}: ${blanks}${line}`;
}
