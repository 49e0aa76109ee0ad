import type { JSX } from "preact";
import { counted } from "../../src/kernel/counted.ts";
import type { EventLine } from "../format/event-line.ts";
import { clock } from "../format/numbers.ts";
import type { Timeline } from "../net/timeline.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";

const ROW_HEIGHT = 24;

function Line({
	line,
	hasTask,
}: {
	readonly line: EventLine;
	readonly hasTask: boolean;
}): JSX.Element {
	return (
		<div class={`event-row ${line.tone}`} data-event={line.id}>
			<time dateTime={line.at} title={line.at}>
				{clock(line.at)}
			</time>
			{hasTask && <span class="cut task">{line.task ?? ""}</span>}
			<span class="number dim">{line.turn ?? ""}</span>
			<span class="cut" title={line.text}>
				{line.text}
			</span>
		</div>
	);
}

export function TimelineView({
	timeline,
	hasTask,
}: {
	readonly timeline: Timeline;
	readonly hasTask: boolean;
}): JSX.Element {
	const { lines, version, isComplete } = timeline;
	// The ring changes in place; its version says when.
	const at = version.value;
	if (lines.length === 0) {
		return (
			<p class="dim">{isComplete.value ? "Nothing has happened yet." : "Reading the events …"}</p>
		);
	}
	const forgotten = lines.seen - lines.length;
	return (
		<div class="timeline" data-version={at} data-count={lines.seen}>
			{forgotten > 0 && (
				<p class="dim">{counted(forgotten, "older line")} not shown; spar trace has them.</p>
			)}
			<VirtualRows
				label="Timeline"
				kind="log list"
				of={lines}
				rowHeight={ROW_HEIGHT}
				isFollowing={true}
				row={(line) => <Line key={line.id} line={line} hasTask={hasTask} />}
			/>
		</div>
	);
}
