import type { TraceFile } from "../app/sparring.ts";

/** An event of a run as the command line sees it. */
export type RunEvent = TraceFile["events"][number];

/** What an event says, by its type. */
type EventData = { [Type in RunEvent["type"]]: Extract<RunEvent, { type: Type }>["data"] };

/** A function for some types of events. */
export type EventTable<Result> = {
	readonly [Type in RunEvent["type"]]?: (data: EventData[Type], event: RunEvent) => Result;
};

/** A text for every type of event; undefined where the type is not told. */
export type EventTexts = Required<EventTable<string | undefined>>;

function lookUp<Result, Type extends RunEvent["type"]>(
	table: EventTable<Result>,
	type: Type,
	data: EventData[Type],
	event: RunEvent,
): Result | undefined {
	return table[type]?.(data, event);
}

/** What a table says of an event; undefined where it has no function for the type. */
export function byEvent<Result>(table: EventTable<Result>, event: RunEvent): Result | undefined {
	return lookUp(table, event.type, event.data, event);
}
