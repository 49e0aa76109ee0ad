import type { StoredEvent } from "../trace/event.ts";
import type { Looking } from "./looking.ts";
import type { ActionState, StreamMessages } from "./protocol.ts";
import type { EventFilter, Feed, TaskPlace } from "./screens.ts";

export interface StreamQuery {
	// null: it wants none from before.
	readonly after: number | null;
	readonly filter: EventFilter;
	readonly log: { readonly place: TaskPlace; readonly path: string } | null;
}

const BATCH = 500;

// In looks of 100 ms: nothing else says that a program printed.
const LOG_LOOKS = 3;

// In slow looks: so the end of a connection shows itself.
const SLOW_OF_SILENCE = 8;

const eventFrame = (event: StoredEvent): string =>
	`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;

function frame<Name extends Exclude<keyof StreamMessages, "message">>(
	name: Name,
	data: StreamMessages[Name],
): string {
	return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

interface StreamState {
	standings: ReadonlyMap<string, string>;
	logBytes: number | null;
}

// Each event once, in the order of the ids; nothing is read before somebody asks for the next piece. Frames:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
export async function* eventStream(
	{ feed, looking }: { readonly feed: Feed; readonly looking: Looking },
	query: StreamQuery,
	signal: AbortSignal,
): AsyncGenerator<string, undefined> {
	const look = await (query.log === null ? looking.start() : looking.start(LOG_LOOKS));
	const ended: ActionState[] = [];
	const forget = feed.onActionEnded((state) => ended.push(state));
	try {
		const told: StreamState = { standings: await feed.standings(), logBytes: null };
		// An id that no event has yet is of a database that is no longer there.
		let cursor = Math.min(query.after ?? Number.POSITIVE_INFINITY, await feed.newest());
		yield "retry: 1000\n\n";
		cursor = yield* eventFrames(feed, { ...query, after: cursor });
		yield frame("caught-up", { cursor });
		yield* logFrames(feed, query, told);
		let silent = 0;
		for (;;) {
			const news = await look.next(signal);
			if (news === "over") return undefined;
			if (news === "written") cursor = yield* eventFrames(feed, { ...query, after: cursor });
			yield* standingFrames(feed, query, told);
			yield* logFrames(feed, query, told);
			for (const state of ended.splice(0)) yield frame("action-ended", state);
			silent = news === "written" ? 0 : silent + 1;
			if (silent % SLOW_OF_SILENCE === SLOW_OF_SILENCE - 1) yield ":\n\n";
		}
	} finally {
		forget();
		look.end();
	}
}

async function* eventFrames(
	feed: Feed,
	{ after, filter }: StreamQuery & { readonly after: number },
): AsyncGenerator<string, number> {
	let cursor = after;
	for (;;) {
		const read = await feed.eventsAfter(cursor, filter, BATCH);
		if (read.events.length > 0) yield read.events.map(eventFrame).join("");
		cursor = read.cursor;
		if (read.events.length < BATCH) return cursor;
	}
}

async function* standingFrames(
	feed: Feed,
	{ filter }: StreamQuery,
	told: StreamState,
): AsyncGenerator<string, void> {
	const before = told.standings;
	told.standings = await feed.standings();
	for (const run of new Set([...before.keys(), ...told.standings.keys()])) {
		if (filter.run !== null && filter.run !== run) continue;
		if (before.get(run) !== told.standings.get(run)) yield frame("run-changed", { run_id: run });
	}
}

async function* logFrames(
	feed: Feed,
	{ log }: StreamQuery,
	told: StreamState,
): AsyncGenerator<string, void> {
	if (log === null) return;
	const bytes = await feed.logBytes(log.place, log.path);
	if (bytes === null || bytes === told.logBytes) return;
	told.logBytes = bytes;
	yield frame("log-grown", { path: log.path, bytes });
}

// A client that reads slowly is sent no more than it takes.
export function bytesOf(
	texts: AsyncGenerator<string, undefined>,
	{ cancel, onBug }: { readonly cancel: () => void; readonly onBug: (error: unknown) => void },
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isLeft = false;
	return new ReadableStream({
		pull: async (controller) => {
			try {
				const { value, done } = await texts.next();
				if (isLeft) return;
				if (done === true) controller.close();
				else controller.enqueue(encoder.encode(value));
			} catch (error) {
				// The browser connects again, behind the last event that it has.
				onBug(error);
				if (!isLeft) controller.close();
			}
		},
		cancel: () => {
			isLeft = true;
			cancel();
		},
	});
}
