import { all, change, type Dialect, one, type Query } from "./query.ts";
import { table } from "./table.ts";

export interface CheckpointScope {
	readonly thread: string;
	readonly ns: string;
}

/** A checkpoint as it is stored: `body` is JSON without channel values, `meta` its metadata as JSON. */
export interface CheckpointRow extends CheckpointScope {
	readonly id: string;
	readonly parent: string | null;
	readonly body: string;
	readonly meta: string;
}

export interface StoredValue {
	readonly type: string;
	readonly value: Uint8Array;
}

export interface ChannelRow extends StoredValue {
	readonly channel: string;
	readonly version: string;
}

export interface PendingWriteRow extends StoredValue {
	readonly task: string;
	readonly channel: string;
	readonly idx: number;
	readonly path: string;
}

/** Seq is the order of writing, body a checkpoint without its values. */
const checkpoints = table<CheckpointRow>(
	"checkpoints",
	{
		thread: ["thread", "text"],
		ns: ["ns", "text"],
		id: ["id", "text"],
		parent: ["parent", "text?"],
		body: ["body", "text"],
		meta: ["meta", "text"],
	},
	{
		keys: { seq: "serial" },
		constraints: ["UNIQUE (thread, ns, id)"],
		indexes: ["CREATE INDEX checkpoints_newest ON checkpoints (thread, ns, seq)"],
	},
);

const channels = table<ChannelRow>(
	"channels",
	{
		channel: ["channel", "text"],
		version: ["version", "text"],
		type: ["type", "text"],
		value: ["value", "bytes"],
	},
	{
		keys: { thread: "text", ns: "text" },
		constraints: ["PRIMARY KEY (thread, ns, channel, version)"],
	},
);

const pendingWrites = table<PendingWriteRow>(
	"pending_writes",
	{
		path: ["path", "text"],
		task: ["task", "text"],
		idx: ["idx", "integer"],
		channel: ["channel", "text"],
		type: ["type", "text"],
		value: ["value", "bytes"],
	},
	{
		keys: { thread: "text", ns: "text", id: "text" },
		constraints: ["PRIMARY KEY (thread, ns, id, task, idx)"],
	},
);

export function checkpointTables(dialect: Dialect): string {
	return [checkpoints, channels, pendingWrites].map(({ ddl }) => ddl(dialect)).join("\n\n");
}

const SELECT = `SELECT ${checkpoints.list} FROM checkpoints`;

/** Stores a checkpoint with the channel values that changed. One that is put again keeps its place in the order. */
export function* upsertCheckpoint(row: CheckpointRow, changed: readonly ChannelRow[]): Query<void> {
	// Replaced: after a fork the same version may get another value, and the newest checkpoint must be right.
	const sql = `INSERT INTO channels (thread, ns, ${channels.list}) VALUES (?, ?, ${channels.marks})
		ON CONFLICT (thread, ns, channel, version) DO UPDATE SET ${channels.replaced}`;
	for (const each of changed) yield* change(sql, row.thread, row.ns, ...channels.encode(each));
	yield* change(
		`INSERT INTO checkpoints (${checkpoints.list}) VALUES (${checkpoints.marks})
		ON CONFLICT (thread, ns, id) DO UPDATE SET ${checkpoints.replaced}`,
		...checkpoints.encode(row),
	);
}

/** @param replace whether a write of the same task and index gives way; otherwise the first one stays */
export function* insertPendingWrites(
	{ thread, ns, id }: Pick<CheckpointRow, "thread" | "ns" | "id">,
	rows: readonly PendingWriteRow[],
	replace: boolean,
): Query<void> {
	const sql = `INSERT INTO pending_writes (thread, ns, id, ${pendingWrites.list})
		VALUES (?, ?, ?, ${pendingWrites.marks}) ON CONFLICT (thread, ns, id, task, idx)
		DO ${replace ? `UPDATE SET ${pendingWrites.replaced}` : "NOTHING"}`;
	for (const row of rows) yield* change(sql, thread, ns, id, ...pendingWrites.encode(row));
}

/** The checkpoint of this id, or the one that was written last. */
export function* selectCheckpoint(
	{ thread, ns }: CheckpointScope,
	id: string | undefined,
): Query<CheckpointRow | undefined> {
	const where = `${SELECT} WHERE thread = ? AND ns = ?`;
	const row =
		id === undefined
			? yield* one(`${where} ORDER BY seq DESC LIMIT 1`, thread, ns)
			: yield* one(`${where} AND id = ?`, thread, ns, id);
	return row && checkpoints.decode(row);
}

/** What was written last comes first. @param search undefined is no limit */
export function* selectCheckpoints(
	search: Readonly<Record<"thread" | "ns" | "id", string | undefined>>,
): Query<readonly CheckpointRow[]> {
	const given = Object.entries(search).flatMap(([column, value]) =>
		value === undefined ? [] : [{ sql: `${column} = ?`, value }],
	);
	const where = given.length === 0 ? "" : ` WHERE ${given.map(({ sql }) => sql).join(" AND ")}`;
	const rows = yield* all(
		`${SELECT}${where} ORDER BY seq DESC`,
		...given.map(({ value }) => value),
	);
	return rows.map(checkpoints.decode);
}

/** The value of a channel at a version; undefined when the channel was empty. */
export function* selectChannel(
	{ thread, ns }: CheckpointScope,
	channel: string,
	version: string,
): Query<ChannelRow | undefined> {
	const sql = `SELECT ${channels.list} FROM channels
		WHERE thread = ? AND ns = ? AND channel = ? AND version = ?`;
	const row = yield* one(sql, thread, ns, channel, version);
	return row && channels.decode(row);
}

const compared = (one: string, other: string): number => Number(one > other) - Number(one < other);

/**
 * Writes that wait on a checkpoint, in the order in which live execution applies them: path, task, index. Sorted here, since
 * databases differ in how they compare texts.
 */
export function* selectPendingWrites(
	{ thread, ns }: CheckpointScope,
	id: string,
): Query<readonly PendingWriteRow[]> {
	const sql = `SELECT ${pendingWrites.list} FROM pending_writes
		WHERE thread = ? AND ns = ? AND id = ?`;
	const rows = (yield* all(sql, thread, ns, id)).map(pendingWrites.decode);
	return rows.sort((a, b) => compared(a.path, b.path) || compared(a.task, b.task) || a.idx - b.idx);
}

const NEEDED: Readonly<Record<Dialect, string>> = {
	sqlite: `SELECT needed.key, CAST(needed.value AS TEXT)
		FROM checkpoints, json_each(checkpoints.body, '$.channel_versions') AS needed`,
	postgres: `SELECT needed.key, needed.value
		FROM checkpoints, json_each_text(CAST(checkpoints.body AS json) -> 'channel_versions') AS needed`,
};
const deleteUnneeded = (dialect: Dialect): string =>
	`DELETE FROM channels WHERE thread = ?1 AND ns = ?2 AND (channel, version) NOT IN (
		${NEEDED[dialect]} WHERE checkpoints.thread = ?1 AND checkpoints.ns = ?2)`;
const DELETE_UNNEEDED = { sqlite: deleteUnneeded("sqlite"), postgres: deleteUnneeded("postgres") };

const OF_CHECKPOINT = "DELETE FROM pending_writes WHERE thread = ? AND ns = ? AND id = ?";

/**
 * Deletes all but the `keep` checkpoints that were written last, with their writes, and the channel values that
 * none of those needs. As each put adds one checkpoint, each call removes at most one: its cost depends on the
 * number of channels, not on the history.
 */
export function* compactCheckpoints({ thread, ns }: CheckpointScope, keep: number): Query<void> {
	const sql = "SELECT seq, id FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY seq DESC";
	const surplus = (yield* all(sql, thread, ns)).slice(keep);
	if (surplus.length === 0) return;
	for (const row of surplus) {
		const id = String(row["id"]);
		yield* change(OF_CHECKPOINT, thread, ns, id);
		yield* change("DELETE FROM checkpoints WHERE seq = ?", Number(row["seq"]));
	}
	yield* change(DELETE_UNNEEDED, thread, ns);
}

export function* deleteCheckpoints(thread: string): Query<void> {
	for (const table of ["pending_writes", "channels", "checkpoints"])
		yield* change(`DELETE FROM ${table} WHERE thread = ?`, thread);
}
