import { formatStopwatch } from "../../kernel/duration.ts";
import { checkBehind } from "../../kernel/replayed.ts";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { eventText } from "../events/event-text.ts";
import { costText } from "../evidence-text.ts";
import { checkText, listed, type StoryLine, storyLine } from "./turn-story.ts";

/** Parts of a task's story until it has merged. */
export interface MergeStory {
	readonly since: number;
	costUsd: number | null;
	/** Calls of which nobody knows the cost. */
	unknown: number;
	/**
	 * Results on the merged tree, such as `tests 8/8`, and those of the base's own tests, by check: of one that ran again the
	 * last word counts.
	 */
	assembled: { own: Map<string, string>; base: Map<string, string> };
}

export const noneAssembled = (): MergeStory["assembled"] => ({ own: new Map(), base: new Map() });

/** A check that ran outside of a turn: told where it does not pass, else kept for the line of the merge. */
export function checked(
	{ assembled: { own, base } }: MergeStory,
	event: StoredEvent,
	ran: EventData["check-ran"],
): StoryLine[] {
	if (ran.status !== "pass") {
		const { short = "", tone } = eventText(event);
		return [storyLine(short, tone)];
	}
	if (ran.purpose !== "assembled" || ran.item !== undefined) return [];
	const check = checkBehind(ran);
	if (check === ran.check) own.set(check, checkText(ran));
	else base.set(check, checkText({ ...ran, check }).slice(check.length + 1));
	return [];
}

/** @example `"$0.42, 2:26"` */
export function spent({ costUsd, unknown, since }: MergeStory, { timestamp }: StoredEvent): string {
	const cost = { cost_usd: costUsd, unknown_cost_calls: unknown };
	const took = formatStopwatch(Date.parse(timestamp) - since);
	return `${costUsd === null ? "" : `${costText(cost)}, `}${took}`;
}

/**
 * The line by which a task's merge is told.
 *
 * @example `"tests 8/8 and the base's 4/4 on the merged tree; $0.42, 2:26"`
 */
export function mergeLine(
	task: MergeStory,
	event: StoredEvent,
	{ into }: EventData["task-merged"],
): StoryLine {
	const { own, base } = task.assembled;
	const replayed = base.size === 0 ? "" : ` and the base's ${listed([...base.values()])}`;
	const tested =
		own.size === 0 ? "" : `${listed([...own.values()])}${replayed} on the merged tree; `;
	const where = into.startsWith("sparring/") ? "" : `into ${into}; `;
	return { label: "merged", text: `${tested}${where}${spent(task, event)}`, tone: "good" };
}
