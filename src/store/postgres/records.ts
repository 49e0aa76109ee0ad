import { Fault } from "../../kernel/fault.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { type AnnouncedJob, perform, type Query, type Statement } from "../queries/query.ts";
import { queriedRecords, type Runner } from "../queries/records.ts";
import type { Records } from "../records.ts";
import { answerOn } from "./answer-on.ts";
import type { Postgres, Row } from "./postgres.ts";
import { sqlState } from "./postgres-fault.ts";

export type Execute = (sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export interface PostgresRecordsOptions {
	/**
	 * Called inside a transaction, before its end and once for each run and job. `schedule`: it changes something that the
	 * scheduler looks at; the run was created, a task moved, merged or got another item, an item was answered, a cancel was
	 * requested. `land`: the run is to land. What it throws undoes the transaction. It is called again when the transaction is repeated after a deadlock.
	 */
	readonly announce?:
		| ((execute: Execute, runId: string, job: AnnouncedJob) => Promise<void>)
		| undefined;
}

/** `deadlock_detected`: one of two transactions that waited for each other was undone. */
const DEADLOCK = "40P01";

/** A deadlock needs two; that one loses so often says that something else is wrong. */
const MOST_ATTEMPTS = 5;

const isDeadlock = (error: unknown): boolean =>
	error instanceof Fault && sqlState(error.cause) === DEADLOCK;

class PostgresRunner implements Runner {
	readonly #postgres: Postgres;
	readonly #announce: PostgresRecordsOptions["announce"];

	constructor(postgres: Postgres, { announce }: PostgresRecordsOptions) {
		this.#postgres = postgres;
		this.#announce = announce;
	}

	read<T>(query: Query<T>): Promise<T> {
		return perform(query, (statement) => answerOn(this.#postgres, statement));
	}

	snapshot<T>(query: Query<T>): Promise<T> {
		return this.#postgres.transaction(async (client) => {
			await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
			return perform(query, (statement) => answerOn(client, statement));
		});
	}

	async change<T>(work: () => Query<T>): Promise<T> {
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#once(work());
			} catch (error) {
				if (attempt === MOST_ATTEMPTS || !isDeadlock(error)) throw error;
			}
		}
	}

	#once<T>(query: Query<T>): Promise<T> {
		return this.#postgres.transaction(async (client) => {
			const announced = new Map<string, Extract<Statement, { kind: "announce" }>>();
			const result = await perform(query, (statement) => {
				if (statement.kind === "announce")
					announced.set(`${statement.job} ${statement.runId}`, statement);
				return answerOn(client, statement);
			});
			const execute: Execute = async (sql, values) => (await client.query(sql, values)).rows;
			for (const { runId, job } of announced.values()) await this.#announce?.(execute, runId, job);
			return result;
		});
	}

	/** The ids of events are known once they are committed; see `insertEvent`. */
	async commit(work: () => Query<readonly StoredEvent[]>): Promise<readonly StoredEvent[]> {
		const events = await this.change(work);
		const places = events.flatMap(({ id }) => (id < 0 ? [-id] : []));
		if (places.length === 0) return events;
		const sql = "SELECT seq, id FROM events WHERE seq = ANY ($1)";
		const { rows } = await this.#postgres.query(sql, [places]);
		const ids = new Map(rows.map(({ seq, id }) => [-Number(seq), Number(id)]));
		return events.map((event) => ({ ...event, id: ids.get(event.id) ?? event.id }));
	}

	async pulse(): Promise<string> {
		const { rows } = await this.#postgres.query("SELECT last_event, beat FROM feed");
		return `${String(rows[0]?.["last_event"])}/${String(rows[0]?.["beat"])}`;
	}
}

/** Runs queries in Postgres, each change as one transaction, which is repeated after a deadlock. */
export const postgresRunner = (postgres: Postgres): Pick<Runner, "read" | "snapshot" | "change"> =>
	new PostgresRunner(postgres, {});

/**
 * The records of a repository in Postgres, which several machines write at once. The connections stay the caller's to
 * close.
 *
 * Each write is one transaction that locks what it decides on: the lease of its fence, the task that it moves, the item
 * that it answers. Two that wait for each other are no error: one of them is done again.
 */
export function postgresRecords(postgres: Postgres, options: PostgresRecordsOptions = {}): Records {
	const runner = new PostgresRunner(postgres, options);
	return queriedRecords({
		read: (query) => runner.read(query),
		snapshot: (query) => runner.snapshot(query),
		change: (work) => runner.change(work),
		commit: (work) => runner.commit(work),
		pulse: () => runner.pulse(),
	});
}
