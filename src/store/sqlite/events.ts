import type { HumanItem } from "../../human/human-item.ts";
import type { StoredEvent, TraceEvent } from "../../trace/event.ts";
import type { EventSelection } from "../overviews.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";

/** An event with its place as plain fields: the union of `StoredEvent` says which data belongs to which type. */
type EventRow = Pick<StoredEvent, keyof StoredEvent>;

const codec = rowCodec<EventRow>({
	id: ["id", "number"],
	run: ["run_id", "text"],
	task: ["task", "text"],
	turn: ["turn", "number"],
	node: ["node", "text"],
	type: ["type", "text"],
	timestamp: ["timestamp", "text"],
	data: ["data", "json"],
});

export function insertEvent(db: Database, run: string, event: TraceEvent): StoredEvent {
	const { rowId } = db.run(
		`INSERT INTO events (run_id, task, turn, node, type, timestamp, data) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		run,
		event.task,
		event.turn,
		event.node,
		event.type,
		event.timestamp,
		JSON.stringify(event.data),
	);
	return { ...event, id: rowId, run };
}

/** True because `insertEvent` stored type and data of one member of the union. */
const select = (
	db: Database,
	where: string,
	...values: readonly (string | number)[]
): readonly StoredEvent[] =>
	db
		.all(`SELECT ${codec.list} FROM events WHERE ${where}`, ...values)
		.map((row) => codec.decode(row) as StoredEvent);

/** In the order of their ids. */
export function selectEvents(
	db: Database,
	run: string,
	options: { readonly task?: string; readonly after?: number } = {},
): readonly StoredEvent[] {
	const { task, after = 0 } = options;
	return task === undefined
		? select(db, "run_id = ? AND id > ? ORDER BY id", run, after)
		: select(db, "run_id = ? AND task = ? AND id > ? ORDER BY id", run, task, after);
}

/** See `Overviews.eventsAfter`. */
export function selectEventsAfter(
	db: Database,
	after: number,
	{ runId, taskId }: EventSelection,
	limit: number,
): readonly StoredEvent[] {
	if (runId === null) return select(db, "id > ? ORDER BY id LIMIT ?", after, limit);
	if (taskId === null)
		return select(db, "run_id = ? AND id > ? ORDER BY id LIMIT ?", runId, after, limit);
	const where = "run_id = ? AND task = ? AND id > ? ORDER BY id LIMIT ?";
	return select(db, where, runId, taskId, after, limit);
}

/** The events of the answers to an item, which were stored as they were given. */
export function selectAnswerEvents(
	db: Database,
	run: string,
	item: HumanItem,
): readonly StoredEvent[] {
	return selectEvents(db, run, { task: item.taskId }).filter(
		(event) => event.type === "item-answered" && event.data.item === item.id,
	);
}
