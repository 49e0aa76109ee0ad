import { formatStopwatch } from "../../kernel/duration.ts";
import { shortId } from "../../kernel/visible-text.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { eventText } from "../../words/events/event-text.ts";
import { seatName } from "../../words/states.ts";
import { LONGEST_ID, type RunStory, tell } from "../../words/story/run-story.ts";
import type { StoryLine } from "../../words/story/turn-story.ts";
import type { Paint } from "./paint.ts";
import { hanging } from "./table.ts";
import { fits } from "./wrap-line.ts";

const LABEL = "turn 10  ".length;

// Below it there is no room for columns.
const LEAST_COLUMNS = 60;

// Clocks of wider terminals stand near their words.
const MOST_COLUMNS = 88;

// `limiter:  ` where the run has more tasks than one, padded to the widest.
function idOf({ tasks }: RunStory, task: string | null, isNarrow: boolean): string {
	if (task === null || tasks.length < 2) return "";
	const ids = tasks.map((id) => shortId(id, LONGEST_ID).length);
	const id = `${shortId(task, LONGEST_ID)}: `;
	return isNarrow ? id : id.padEnd(Math.min(LONGEST_ID, Math.max(...ids)) + 2);
}

function withClock(text: string, margin: number, ms: number | undefined, columns: number): string {
	if (ms === undefined) return text;
	const clock = formatStopwatch(ms);
	const room = Math.min(columns - 1, MOST_COLUMNS) - margin - clock.length;
	return `${fits(text, room - 2) ? text.padEnd(room) : `${text}   `}${clock}`;
}

function rendered(
	line: StoryLine,
	{
		id,
		isRun,
		columns,
	}: { readonly id: string; readonly isRun: boolean; readonly columns: number },
	paint: Paint,
): string {
	const isNarrow = columns < LEAST_COLUMNS;
	const blanks = isRun ? 0 : isNarrow ? 2 : LABEL;
	const label = line.label === "" ? "" : `${line.label} `;
	const head = label.padEnd(isNarrow && label !== "" ? 0 : blanks);
	const parts = isNarrow ? line.text.replaceAll("   ", "  ") : line.text;
	const text = withClock(parts, id.length + head.length, line.ms, columns);
	const margin = isNarrow ? 2 : id.length + Math.max(blanks, isRun ? 2 : 0);
	// The first line begins behind more, or less, than the others.
	const whole = hanging(
		`${".".repeat(Math.max(0, id.length + head.length - margin))}${text}`,
		margin,
		columns,
	);
	const shown = whole.slice(Math.max(0, id.length + head.length - margin));
	const { tone } = line;
	if (tone === undefined) return `${id}${label === "" ? head : paint("strong", head)}${shown}`;
	return label === "" ? `${id}${head}${paint(tone, shown)}` : `${id}${paint(tone, head)}${shown}`;
}

export function renderStory(
	story: RunStory,
	event: StoredEvent,
	columns: number,
	paint: Paint,
): readonly string[] {
	return tell(story, event).map((line) => {
		const id = idOf(story, event.task, columns < LEAST_COLUMNS);
		return rendered(line, { id, isRun: event.task === null, columns }, paint);
	});
}

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
