import { reasonLine } from "../../human/headline.ts";
import { reasonParts, type ToldReason } from "../../human/reason.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import type { Tone } from "../states.ts";

export interface EventText {
	/** One line, for who follows a run; left out where it says nothing new to a person. */
	readonly short?: string | undefined;
	/** Everything, in several lines where it has lists; where it is left out the short text is all. */
	readonly long?: string | undefined;
	readonly tone?: Tone | undefined;
}

/** A function for each of some types of events. */
export type EventTable<Result> = {
	readonly [Type in StoredEvent["type"]]?: (data: EventData[Type], event: StoredEvent) => Result;
};

/** Looks an event up in a table; undefined where the table has no function for its type. */
export function byEvent<Result>(table: EventTable<Result>, event: StoredEvent): Result | undefined {
	// The entry of a type takes the data of that type; TypeScript does not follow that through the union.
	const entry = table[event.type] as
		| ((data: StoredEvent["data"], of: StoredEvent) => Result)
		| undefined;
	return entry?.(event.data, event);
}

export const LIMIT = 1_000;
/** A score, rounded down: one that is shown as the threshold has reached it. */
export const shownScore = (score: number): string =>
	(Math.floor(score * 100 + 1e-9) / 100).toFixed(2);
/** More tasks are not named at the start of their run. */
export const MOST_NAMED = 12;
export const took = (ms: number): string => ` (${formatDuration(ms)})`;
export const because = (reason: string | null, limit = 200): string =>
	reason === null || reason === "" ? "" : `: ${oneLine(reason, limit)}`;
export const atLength = (text: (limit: number) => string): Pick<EventText, "short" | "long"> => ({
	short: text(200),
	long: text(LIMIT),
});
export const joined = (texts: readonly string[]): string =>
	texts.length === 0 ? "" : `: ${oneLine(texts.join("; "), 400)}`;
export const bullets = (texts: readonly string[]): string =>
	texts.map((text) => `\n  - ${oneLine(text, LIMIT)}`).join("");
export const below = (label: string, text: string | null): string =>
	text === null || text === "" ? "" : `\n  ${label}${oneLine(text, LIMIT)}`;

type EndReason = Pick<EventData["task-ended"], "reason" | "conflicts">;

const told = ({ reason, conflicts }: EndReason): ToldReason | null => {
	if (reason === null || reason === "") return null;
	return conflicts === undefined ? { reason } : { reason, conflicts };
};
export const shortBecause = (why: EndReason): string => {
	const reason = told(why);
	return reason === null ? "" : `: ${reasonLine(reason)}`;
};
export const longBecause = (why: EndReason): string => {
	const parts = reasonParts(told(why) ?? { reason: "" });
	return parts.length > 1 ? bullets(parts.map(({ text }) => text)) : because(why.reason, LIMIT);
};
