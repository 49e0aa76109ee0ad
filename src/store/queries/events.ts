import type { HumanItem } from "../../human/human-item.ts";
import type { StoredEvent, TraceEvent } from "../../trace/event.ts";
import { all, one, type Query } from "./query.ts";
import { events } from "./tables.ts";

const INSERT = `INSERT INTO events (run_id, task, turn, node, type, timestamp, data)
	VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING`;

// In Postgres an event gets its id when its transaction commits (`postgres/migrate.ts`). Until then it has the
// negative of its place in the table.
export function* insertEvent(run: string, event: TraceEvent): Query<StoredEvent> {
	const { task, turn, node, type, timestamp, data } = event;
	const values = [run, task, turn, node, type, timestamp, JSON.stringify(data)];
	const sql = { sqlite: `${INSERT} id`, postgres: `${INSERT} -seq AS id` };
	const row = yield* one(sql, ...values);
	return { ...event, id: Number(row?.["id"]), run };
}

export function* selectEvents({
	run,
	task,
	after = 0,
	limit,
}: {
	readonly run?: string | undefined;
	readonly task?: string | undefined;
	readonly after?: number;
	readonly limit?: number;
}): Query<readonly StoredEvent[]> {
	const of = [run, task].filter((each) => each !== undefined);
	const where = `${run === undefined ? "" : "run_id = ? AND "}${task === undefined ? "" : "task = ? AND "}id > ?`;
	const rest = `ORDER BY id${limit === undefined ? "" : " LIMIT ?"}`;
	const values = [...of, after, ...(limit === undefined ? [] : [limit])];
	const rows = yield* all(
		`SELECT id, ${events.list} FROM events WHERE ${where} ${rest}`,
		...values,
	);
	// True because `insertEvent` stored type and data of one member of the union.
	return rows.map((row) => ({ id: Number(row["id"]), ...events.decode(row) }) as StoredEvent);
}

export function* selectAnswerEvents(run: string, item: HumanItem): Query<readonly StoredEvent[]> {
	const ofTask = yield* selectEvents({ run, task: item.taskId });
	return ofTask.filter((event) => event.type === "item-answered" && event.data.item === item.id);
}
