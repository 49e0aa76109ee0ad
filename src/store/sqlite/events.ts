import type { StoredEvent, TraceEvent } from "../../trace/event.ts";
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

/** In the order of their ids. */
export function selectEvents(
	db: Database,
	run: string,
	options: { readonly task?: string; readonly after?: number } = {},
): readonly StoredEvent[] {
	const { task, after = 0 } = options;
	const rows =
		task === undefined
			? db.all(
					`SELECT ${codec.list} FROM events WHERE run_id = ? AND id > ? ORDER BY id`,
					run,
					after,
				)
			: db.all(
					`SELECT ${codec.list} FROM events WHERE run_id = ? AND task = ? AND id > ? ORDER BY id`,
					run,
					task,
					after,
				);
	// True because `insertEvent` stored type and data of one member of the union.
	return rows.map((row) => codec.decode(row) as StoredEvent);
}
