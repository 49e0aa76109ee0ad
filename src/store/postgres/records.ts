import { Fault } from "../../kernel/fault.ts";
import { requireFence } from "../queries/leases.ts";
import {
	NO_REPLY,
	perform,
	type Query,
	type Reply,
	type Row,
	type Runner,
	type Statement,
} from "../queries/query.ts";
import { queriedRecords } from "../queries/records.ts";
import type { Fence, Records } from "../records.ts";
import type { Postgres, PostgresClient } from "./postgres.ts";
import { sqlState } from "./postgres-fault.ts";

const MARK = "\u001a";

/**
 * A text as Postgres can hold it, which has no NUL: that becomes U+001A and `0`, and U+001A itself becomes U+001A and
 * `1`.
 * @example `storedText("a\0b")` is `"a\u001a0b"`
 */
export function storedText(text: string): string {
	return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

export function readText(stored: string): string {
	// In what is stored each mark is followed by its digit, so neither finds what is of the other.
	return stored.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}

/**
 * A statement as Postgres takes it; texts in quotes stay as they are.
 *
 * @example `withPlaceholders("a = ? AND b IN (?, ?1)")` is `"a = $1 AND b IN ($2, $1)"`
 */
export function withPlaceholders(sql: string): string {
	let last = 0;
	return sql.replace(/'[^']*'|\?(\d*)/g, (part, place: string | undefined) => {
		if (place === undefined) return part;
		const number = place === "" ? last + 1 : Number(place);
		last = Math.max(last, number);
		return `$${number}`;
	});
}

const mapTexts = (value: unknown, change: (text: string) => string): unknown =>
	typeof value === "string" ? change(value) : value;

async function answerOn(client: PostgresClient, statement: Statement): Promise<Reply> {
	if (statement.kind === "announce") return NO_REPLY;
	const sql = typeof statement.sql === "string" ? statement.sql : statement.sql.postgres;
	const values = statement.values.map((value) => mapTexts(value, storedText));
	const { rows, changes } = await client.query(withPlaceholders(sql), values);
	const read = (row: Row): Row =>
		Object.fromEntries(
			Object.entries(row).map(([column, value]) => [column, mapTexts(value, readText)]),
		);
	return { rows: rows.map(read), changes };
}

// Called first in each transaction: whoever takes the lease waits for its end, and what comes later finds the new
// epoch.
export function assertFence(client: PostgresClient, fence: Fence): Promise<void> {
	return perform(requireFence(fence), (statement) => answerOn(client, statement));
}

/**
 * Called inside a transaction, before its end, once for each run of which it changes something that the scheduler
 * looks at. What it throws undoes the transaction; it is called again when that is repeated after a deadlock.
 */
export type Announce = (client: PostgresClient, runId: string) => Promise<void>;

const DEADLOCK = "40P01";

/** A deadlock needs two; that one loses so often says that something else is wrong. */
const MOST_ATTEMPTS = 5;

const isDeadlock = (error: unknown): boolean =>
	error instanceof Fault && sqlState(error.cause) === DEADLOCK;

/** Runs queries in Postgres, each change as one transaction, which is repeated after a deadlock. */
export function postgresRunner(postgres: Postgres, announce?: Announce): Runner {
	const once = <T>(query: Query<T>): Promise<T> =>
		postgres.transaction(async (client) => {
			const announced = new Set<string>();
			const result = await perform(query, (statement) => {
				if (statement.kind === "announce") announced.add(statement.runId);
				return answerOn(client, statement);
			});
			for (const runId of announced) await announce?.(client, runId);
			return result;
		});
	const change = async <T>(work: () => Query<T>): Promise<T> => {
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await once(work());
			} catch (error) {
				if (attempt === MOST_ATTEMPTS || !isDeadlock(error)) throw error;
			}
		}
	};
	return {
		read: (query) => perform(query, (statement) => answerOn(postgres, statement)),
		snapshot: (query) =>
			postgres.transaction(async (client) => {
				await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
				return perform(query, (statement) => answerOn(client, statement));
			}),
		change,
		// The ids of events are known once they are committed; see `insertEvent`.
		commit: async (work) => {
			const events = await change(work);
			const places = events.flatMap(({ id }) => (id < 0 ? [-id] : []));
			if (places.length === 0) return events;
			const sql = "SELECT seq, id FROM events WHERE seq = ANY ($1)";
			const { rows } = await postgres.query(sql, [places]);
			const ids = new Map(rows.map(({ seq, id }) => [-Number(seq), Number(id)]));
			return events.map((event) => ({ ...event, id: ids.get(event.id) ?? event.id }));
		},
		pulse: async () => {
			const { rows } = await postgres.query("SELECT last_event, beat FROM feed");
			return `${String(rows[0]?.["last_event"])}/${String(rows[0]?.["beat"])}`;
		},
	};
}

/**
 * The records of a repository in Postgres, which several machines write at once. The connections stay the caller's to
 * close.
 *
 * Each write is one transaction that locks what it decides on: the lease of its fence, the task that it moves, the item
 * that it answers. Two that wait for each other are no error: one of them is done again.
 */
export const postgresRecords = (
	postgres: Postgres,
	options: { readonly announce?: Announce } = {},
): Records => queriedRecords(postgresRunner(postgres, options.announce));
