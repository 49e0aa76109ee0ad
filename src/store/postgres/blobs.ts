import { type BlobEntry, type Blobs, soundKey } from "../../kernel/blobs.ts";
import type { Row } from "../queries/query.ts";
import type { Fence } from "../records.ts";
import type { Postgres, PostgresClient } from "./postgres.ts";
import { assertFence } from "./records.ts";

/** Longest chunk of a text that is put as a whole, in bytes: what reading a part of it reads at least. */
const CHUNK_BYTES = 256 * 1024;

const AT_OR_BELOW = "(key = $1 OR (key > $1 || '/' AND key < $1 || '0'))";

const ENTRY = `SELECT key, bytes, extract(epoch FROM changed_at)::double precision * 1000 AS changed
	FROM blobs`;

/** Rows of a file from a byte on; one without a chunk where there is none so far. */
const CHUNKS = `SELECT blobs.bytes, chunks.at, chunks.body FROM blobs
	LEFT JOIN blob_chunks AS chunks ON chunks.key = blobs.key
		AND chunks.at >= coalesce(
			(SELECT max(at) FROM blob_chunks WHERE blob_chunks.key = $1 AND at <= $2), 0)
		AND ($3::bigint IS NULL OR chunks.at < $3)
	WHERE blobs.key = $1 ORDER BY chunks.at`;

const APPEND = `WITH file AS (
		INSERT INTO blobs (key, bytes, changed_at) VALUES ($1, $2, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET bytes = blobs.bytes + excluded.bytes,
			changed_at = excluded.changed_at
		RETURNING bytes - $2 AS at)
	INSERT INTO blob_chunks (key, at, body) SELECT $1, at, $3 FROM file WHERE $2 > 0`;

function entryOf(row: Row): BlobEntry {
	return {
		key: String(row["key"]),
		bytes: Number(row["bytes"]),
		changedMs: Number(row["changed"]),
	};
}

function bytesFrom(rows: readonly Row[], from: number): Buffer {
	const chunks = rows.flatMap(({ body }) => (Buffer.isBuffer(body) ? [body] : []));
	const [first] = rows;
	return Buffer.concat(chunks).subarray(Math.max(0, from - Number(first?.["at"] ?? 0)));
}

async function replace(client: PostgresClient, key: string, body: Buffer): Promise<void> {
	// The row is locked from here on, so that of two who replace a file one follows the other.
	await client.query(
		`INSERT INTO blobs (key, bytes, changed_at) VALUES ($1, $2, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes, changed_at = excluded.changed_at`,
		[key, body.length],
	);
	await client.query("DELETE FROM blob_chunks WHERE key = $1", [key]);
	for (let at = 0; at < body.length; at += CHUNK_BYTES) {
		const chunk = body.subarray(at, at + CHUNK_BYTES);
		await client.query("INSERT INTO blob_chunks (key, at, body) VALUES ($1, $2, $3)", [
			key,
			at,
			chunk,
		]);
	}
}

/**
 * The files of runs in Postgres, each as a row with its size and chunks of bytes. What is appended is a further chunk, so
 * that its cost does not grow with the file; reading a part reads its chunks alone.
 *
 * @param fence whoever lost it writes and removes nothing; null for those who tidy up after a run
 * @throws Fault `store-unreachable` or `disk-full` where a text cannot be written or read, `lease-lost`
 */
export function postgresBlobs(postgres: Postgres, fence: Fence | null = null): Blobs {
	const change = (work: (client: PostgresClient) => Promise<unknown>): Promise<void> =>
		postgres.transaction(async (client) => {
			if (fence !== null) await assertFence(client, fence);
			await work(client);
		});
	const chunks = async (key: string, from: number, to: number | null): Promise<readonly Row[]> =>
		(await postgres.query(CHUNKS, [soundKey(key), from, to])).rows;
	return {
		put: async (key, text) => {
			soundKey(key);
			await change((client) => replace(client, key, Buffer.from(text)));
		},
		append: async (key, text) => {
			const body = Buffer.from(text);
			const values = [soundKey(key), body.length, body];
			await change((client) => client.query(APPEND, values));
		},
		read: async (key, from = 0) => {
			const rows = await chunks(key, from, null);
			return rows.length === 0 ? undefined : bytesFrom(rows, from).toString();
		},
		readBytes: async (key, from, most) => {
			const rows = await chunks(key, from, from + most);
			const [first] = rows;
			if (first === undefined) return undefined;
			return { bytes: bytesFrom(rows, from).subarray(0, most), size: Number(first["bytes"]) };
		},
		entry: async (key) => {
			const { rows } = await postgres.query(`${ENTRY} WHERE key = $1`, [soundKey(key)]);
			return rows.map(entryOf)[0];
		},
		list: async (folder) => {
			const { rows } = await postgres.query(`${ENTRY} WHERE key > $1 || '/' AND key < $1 || '0'`, [
				soundKey(folder),
			]);
			return rows.map(entryOf);
		},
		has: async (key) => {
			const sql = `SELECT EXISTS (SELECT FROM blobs WHERE ${AT_OR_BELOW}) AS stands`;
			const { rows } = await postgres.query(sql, [soundKey(key)]);
			return rows[0]?.["stands"] === true;
		},
		remove: async (key) => {
			const values = [soundKey(key)];
			await change((client) => client.query(`DELETE FROM blobs WHERE ${AT_OR_BELOW}`, values));
		},
	};
}
