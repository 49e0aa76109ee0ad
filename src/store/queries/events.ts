import type { HumanItem } from "../../human/human-item.ts";
import type { StoredEvent, TraceEvent } from "../../trace/event.ts";
import type { EventSelection } from "../overviews.ts";
import { all, one, type Query } from "./query.ts";
import { events } from "./tables.ts";

/**
 * In Postgres an event gets its id when its transaction commits (`postgres/schema.ts`). Until then it has the negative of
 * its place in the table.
 */
const INSERT = `INSERT INTO events (run_id, task, turn, node, type, timestamp, data)
	VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING`;

export function* insertEvent(run: string, event: TraceEvent): Query<StoredEvent> {
	const row = yield* one(
		{ sqlite: `${INSERT} id`, postgres: `${INSERT} -seq AS id` },
		run,
		event.task,
		event.turn,
		event.node,
		event.type,
		event.timestamp,
		JSON.stringify(event.data),
	);
	return { ...event, id: Number(row?.["id"]), run };
}

function* select(
	where: string,
	...values: readonly (string | number)[]
): Query<readonly StoredEvent[]> {
	const rows = yield* all(`SELECT id, ${events.list} FROM events WHERE ${where}`, ...values);
	// True because `insertEvent` stored type and data of one member of the union.
	return rows.map((row) => ({ id: Number(row["id"]), ...events.decode(row) }) as StoredEvent);
}

/** In the order of their ids. */
export function* selectEvents(
	run: string,
	options: { readonly task?: string; readonly after?: number } = {},
): Query<readonly StoredEvent[]> {
	const { task, after = 0 } = options;
	return task === undefined
		? yield* select("run_id = ? AND id > ? ORDER BY id", run, after)
		: yield* select("run_id = ? AND task = ? AND id > ? ORDER BY id", run, task, after);
}

export function* selectEventsAfter(
	after: number,
	{ runId, taskId }: EventSelection,
	limit: number,
): Query<readonly StoredEvent[]> {
	if (runId === null) return yield* select("id > ? ORDER BY id LIMIT ?", after, limit);
	if (taskId === null)
		return yield* select("run_id = ? AND id > ? ORDER BY id LIMIT ?", runId, after, limit);
	const where = "run_id = ? AND task = ? AND id > ? ORDER BY id LIMIT ?";
	return yield* select(where, runId, taskId, after, limit);
}

export function* selectAnswerEvents(run: string, item: HumanItem): Query<readonly StoredEvent[]> {
	const events = yield* selectEvents(run, { task: item.taskId });
	return events.filter((event) => event.type === "item-answered" && event.data.item === item.id);
}

/** Id of the newest event of any run; 0 without one. */
export function* selectNewestEvent(): Query<number> {
	const row = yield* one("SELECT max(id) AS newest FROM events");
	return Number(row?.["newest"] ?? 0);
}
