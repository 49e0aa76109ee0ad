import type { Database } from "./database.ts";

/** One namespace of one thread: the main graph's is `""`. */
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

/** A serialised value with the serialiser's name of its form. */
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
	/** Place among the writes of the task; below 0 for the library's special channels. */
	readonly idx: number;
	readonly path: string;
}

const EMPTY = new Uint8Array();
const bytes = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : EMPTY);

const SELECT = "SELECT thread, ns, id, parent, body, meta FROM checkpoints";

type Decoded = ReturnType<Database["all"]>[number];

const decodeCheckpoint = (row: Decoded): CheckpointRow => ({
	thread: String(row["thread"]),
	ns: String(row["ns"]),
	id: String(row["id"]),
	parent: row["parent"] === null ? null : String(row["parent"]),
	body: String(row["body"]),
	meta: String(row["meta"]),
});

/** A checkpoint that is put again keeps its place in the order. */
export function upsertCheckpoint(db: Database, row: CheckpointRow): void {
	db.run(
		`INSERT INTO checkpoints (thread, ns, id, parent, body, meta) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (thread, ns, id) DO UPDATE
			SET parent = excluded.parent, body = excluded.body, meta = excluded.meta`,
		row.thread,
		row.ns,
		row.id,
		row.parent,
		row.body,
		row.meta,
	);
}

/** Replaces: after a fork the same version may get another value, and the newest checkpoint must be right. */
export function replaceChannel(db: Database, scope: CheckpointScope, row: ChannelRow): void {
	db.run(
		"INSERT OR REPLACE INTO channels (thread, ns, channel, version, type, value) VALUES (?, ?, ?, ?, ?, ?)",
		scope.thread,
		scope.ns,
		row.channel,
		row.version,
		row.type,
		row.value,
	);
}

/** @param replace whether a write of the same task and index gives way; otherwise the first one stays */
export function insertPendingWrite(
	db: Database,
	of: CheckpointScope & { readonly id: string },
	row: PendingWriteRow,
	replace: boolean,
): void {
	const verb = replace ? "INSERT OR REPLACE" : "INSERT OR IGNORE";
	db.run(
		`${verb} INTO pending_writes (thread, ns, id, path, task, idx, channel, type, value)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		of.thread,
		of.ns,
		of.id,
		row.path,
		row.task,
		row.idx,
		row.channel,
		row.type,
		row.value,
	);
}

/** The checkpoint of this id, or the one that was written last. */
export function selectCheckpoint(
	db: Database,
	scope: CheckpointScope,
	id: string | undefined,
): CheckpointRow | undefined {
	const where = `${SELECT} WHERE thread = ? AND ns = ?`;
	const row =
		id === undefined
			? db.get(`${where} ORDER BY seq DESC LIMIT 1`, scope.thread, scope.ns)
			: db.get(`${where} AND id = ?`, scope.thread, scope.ns, id);
	return row && decodeCheckpoint(row);
}

/** What a listing is narrowed to; undefined is no limit. */
export interface CheckpointSearch {
	readonly thread: string | undefined;
	readonly ns: string | undefined;
	readonly id: string | undefined;
	/** Only ids that sort before this one. */
	readonly before: string | undefined;
}

/** What was written last comes first. */
export function selectCheckpoints(
	db: Database,
	search: CheckpointSearch,
): readonly CheckpointRow[] {
	const conditions = [
		["thread = ?", search.thread],
		["ns = ?", search.ns],
		["id = ?", search.id],
		["id < ?", search.before],
	] as const;
	const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
	const where = given.length === 0 ? "" : ` WHERE ${given.map(({ sql }) => sql).join(" AND ")}`;
	return db
		.all(`${SELECT}${where} ORDER BY seq DESC`, ...given.map(({ value }) => value))
		.map(decodeCheckpoint);
}

/** The value of a channel at a version; undefined when the channel was empty. */
export function selectChannel(
	db: Database,
	scope: CheckpointScope,
	channel: string,
	version: string,
): StoredValue | undefined {
	const sql =
		"SELECT type, value FROM channels WHERE thread = ? AND ns = ? AND channel = ? AND version = ?";
	const row = db.get(sql, scope.thread, scope.ns, channel, version);
	return row && { type: String(row["type"]), value: bytes(row["value"]) };
}

/** Writes that wait on a checkpoint, in the order in which live execution applies them: path, task, index. */
export function selectPendingWrites(
	db: Database,
	scope: CheckpointScope,
	id: string,
): readonly PendingWriteRow[] {
	const sql = `SELECT path, task, idx, channel, type, value FROM pending_writes
		WHERE thread = ? AND ns = ? AND id = ? ORDER BY path, task, idx`;
	return db.all(sql, scope.thread, scope.ns, id).map((row) => ({
		path: String(row["path"]),
		task: String(row["task"]),
		idx: Number(row["idx"]),
		channel: String(row["channel"]),
		type: String(row["type"]),
		value: bytes(row["value"]),
	}));
}

/**
 * Deletes all but the `keep` checkpoints that were written last, with their writes, and the channel values that
 * none of those needs. As each put adds one checkpoint, each call removes at most one: its cost depends on the
 * number of channels, not on the history.
 */
export function compactCheckpoints(
	db: Database,
	{ thread, ns }: CheckpointScope,
	keep: number,
): void {
	const surplus = db.all(
		"SELECT seq, id FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY seq DESC LIMIT -1 OFFSET ?",
		thread,
		ns,
		keep,
	);
	if (surplus.length === 0) return;
	for (const row of surplus) {
		const id = String(row["id"]);
		db.run("DELETE FROM pending_writes WHERE thread = ? AND ns = ? AND id = ?", thread, ns, id);
		db.run("DELETE FROM checkpoints WHERE seq = ?", Number(row["seq"]));
	}
	db.run(
		`DELETE FROM channels WHERE thread = ? AND ns = ? AND (channel, version) NOT IN (
			SELECT needed.key, CAST(needed.value AS TEXT)
			FROM checkpoints, json_each(checkpoints.body, '$.channel_versions') AS needed
			WHERE checkpoints.thread = ? AND checkpoints.ns = ?)`,
		thread,
		ns,
		thread,
		ns,
	);
}

export function deleteCheckpoints(db: Database, thread: string): void {
	db.run("DELETE FROM pending_writes WHERE thread = ?", thread);
	db.run("DELETE FROM channels WHERE thread = ?", thread);
	db.run("DELETE FROM checkpoints WHERE thread = ?", thread);
}
