import { all, change, type Dialect, type Query } from "./query.ts";
import { table } from "./table.ts";

export interface CheckpointRow {
	readonly thread: string;
	readonly ns: string;
	readonly id: string;
	readonly parent: string | null;
	readonly body: string;
	readonly meta: string;
}

export interface PendingWriteRow {
	readonly task: string;
	readonly channel: string;
	readonly idx: number;
	readonly path: string;
	readonly type: string;
	readonly value: Uint8Array;
}

export const checkpoints = table<CheckpointRow>(
	"checkpoints",
	{ thread: "text", ns: "text", id: "text", parent: "text?", body: "text", meta: "text" },
	{
		keys: { seq: "serial" },
		constraints: ["UNIQUE (thread, ns, id)"],
		indexes: ["CREATE INDEX checkpoints_newest ON checkpoints (thread, ns, seq)"],
	},
);

const pendingWrites = table<PendingWriteRow>(
	"pending_writes",
	{ path: "text", task: "text", idx: "integer", channel: "text", type: "text", value: "bytes" },
	{
		keys: { thread: "text", ns: "text", id: "text" },
		constraints: ["PRIMARY KEY (thread, ns, id, task, idx)"],
	},
);

export const checkpointTables = (dialect: Dialect): string =>
	`${checkpoints.ddl(dialect)}\n\n${pendingWrites.ddl(dialect)}`;

/** @param replace true: a write of the same task and index gives way; otherwise the first one stays */
export function* insertPendingWrites(
	{ thread, ns, id }: Pick<CheckpointRow, "thread" | "ns" | "id">,
	rows: readonly PendingWriteRow[],
	replace: boolean,
): Query<void> {
	for (const row of rows) {
		if (replace) yield* pendingWrites.upsert("thread, ns, id, task, idx", { thread, ns, id }, row);
		else yield* pendingWrites.insert({ thread, ns, id }, row, "ON CONFLICT DO NOTHING");
	}
}

export const selectCheckpoints = (
	search: Readonly<Record<"thread" | "ns" | "id", string | undefined>>,
	most?: 1,
): Query<readonly CheckpointRow[]> => {
	const given = Object.entries(search).flatMap(([column, value]) =>
		value === undefined ? [] : [{ sql: `${column} = ?`, value }],
	);
	const where = given.length === 0 ? "" : `WHERE ${given.map(({ sql }) => sql).join(" AND ")}`;
	const rest = `${where} ORDER BY seq DESC${most === undefined ? "" : " LIMIT 1"}`;
	return checkpoints.all(rest, ...given.map(({ value }) => value));
};

const compared = (one: string, other: string): number => Number(one > other) - Number(one < other);

/**
 * Writes in the order in which live execution applies them. Sorted here, since databases differ in how they compare
 * texts.
 */
export function* selectPendingWrites(
	{ thread, ns }: Pick<CheckpointRow, "thread" | "ns">,
	id: string,
): Query<readonly PendingWriteRow[]> {
	const rows = yield* pendingWrites.all("WHERE thread = ? AND ns = ? AND id = ?", thread, ns, id);
	return rows.toSorted(
		(a, b) => compared(a.path, b.path) || compared(a.task, b.task) || a.idx - b.idx,
	);
}

// As each put adds one, one at most goes.
export function* compactCheckpoints(
	{ thread, ns }: Pick<CheckpointRow, "thread" | "ns">,
	keep: number,
): Query<void> {
	const sql = "SELECT seq, id FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY seq DESC";
	for (const row of (yield* all(sql, thread, ns)).slice(keep)) {
		const ofIt = "DELETE FROM pending_writes WHERE thread = ? AND ns = ? AND id = ?";
		yield* change(ofIt, thread, ns, String(row["id"]));
		yield* change("DELETE FROM checkpoints WHERE seq = ?", Number(row["seq"]));
	}
}

export function* deleteCheckpoints(thread: string): Query<void> {
	for (const from of ["pending_writes", "checkpoints"])
		yield* change(`DELETE FROM ${from} WHERE thread = ?`, thread);
}
