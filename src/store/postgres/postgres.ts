import { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { Fault } from "../../kernel/fault.ts";
import type { Reply, Row } from "../queries/query.ts";
import { type StoreAddress, storeAddress } from "./address.ts";
import { connectFault, isReadTimeout, postgresFault, sqlState } from "./postgres-fault.ts";

/**
 * Sends statements, one after the other. Every error that a user can cause is a Fault (see `postgresFault`); one that
 * is cut off may have been done.
 */
export interface PostgresClient {
	/** @param values for `$1` and on; without any, the text may be several statements, and the last one's outcome counts */
	query(sql: string, values?: readonly unknown[]): Promise<Reply>;
}

/** Limits of a store's connections, in milliseconds; the defaults are for a network that works. */
export interface PostgresLimits {
	/** Until there is a connection. Default 5,000. */
	readonly connectMs?: number;
	/** A statement on the server, waiting for locks included. Default 10,000. */
	readonly statementMs?: number;
	/** Until the answer is here; above `statementMs`, so that a slow server can say so itself. Default 12,000. */
	readonly answerMs?: number;
	/**
	 * Until the server ends a transaction of a process that does nothing, and frees its locks. Below `statementMs`, so that
	 * those who wait for them get them. Default 8,000.
	 */
	readonly idleMs?: number;
}

// `bigint` and `numeric`, of which only counts and sums occur.
const NUMERIC_TYPES: readonly number[] = [20, 1700];

const KEEP_ALIVE_MS = 10_000;
const CLOSE_MS = 2_000;

/** One connection, until it is released; one that failed is not used again. */
class PostgresSession implements PostgresClient {
	readonly #client: PoolClient;
	readonly #faultOf: (error: unknown) => Promise<unknown>;
	#last: Promise<unknown> = Promise.resolve();
	#failed = false;
	#released = false;

	constructor(client: PoolClient, faultOf: (error: unknown) => Promise<unknown>) {
		this.#client = client;
		this.#faultOf = faultOf;
		client.on("error", this.#fail);
	}

	query(sql: string, values?: readonly unknown[]): Promise<Reply> {
		if (this.#released) throw new Error(`a connection was used after its release: ${sql}`);
		const result = this.#last.then(() => this.#send(sql, values));
		this.#last = result.catch(() => undefined);
		return result;
	}

	async commit(): Promise<void> {
		await this.#last;
		const { command } = await this.#guarded(() => this.#client.query("COMMIT"));
		// What Postgres answers when a statement of the transaction failed and nobody passed that on.
		if (command === "ROLLBACK")
			throw new Error("a transaction with a failed statement was committed");
	}

	// A rollback that the connection's end brings as well needs no words.
	async rollback(): Promise<void> {
		await this.#last;
		if (this.#failed) return;
		await this.#guarded(() => this.#client.query("ROLLBACK")).catch(this.#fail);
	}

	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#client.off("error", this.#fail);
		this.#client.release(this.#failed);
	}

	async #send(sql: string, values?: readonly unknown[]): Promise<Reply> {
		const answer: unknown = await this.#guarded(() =>
			values === undefined ? this.#client.query(sql) : this.#client.query(sql, [...values]),
		);
		return outcomeOf(answer);
	}

	async #guarded<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (sqlState(error) === undefined) this.#fail();
			throw await this.#faultOf(error);
		}
	}

	readonly #fail = (): void => {
		this.#failed = true;
	};
}

function outcomeOf(answer: unknown): Reply {
	// True because this is what `pg` resolves with.
	const results = [answer].flat() as readonly { rows: readonly Row[]; rowCount: number | null }[];
	const last = results.at(-1);
	return { rows: last?.rows ?? [], changes: last?.rowCount ?? 0 };
}

/** Connections to the store. Names without a schema are those of the store's. */
export class Postgres implements PostgresClient {
	/** Of Sparring's tables. */
	readonly schema: string;
	/** The address as people may see it. */
	readonly shown: string;
	readonly #pool: Pool;
	readonly #sockets: ReadonlySet<Socket>;
	#closed: Promise<void> | undefined;

	constructor(address: StoreAddress, pool: Pool, sockets: ReadonlySet<Socket>) {
		this.schema = address.schema;
		this.shown = address.shown;
		this.#pool = pool;
		this.#sockets = sockets;
	}

	query(sql: string, values?: readonly unknown[]): Promise<Reply> {
		return this.#with((session) => session.query(sql, values));
	}

	/** One transaction on one connection; rolled back when work throws. */
	transaction<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
		return this.#with(async (session) => {
			try {
				await session.query("BEGIN");
				const result = await work(session);
				await session.commit();
				return result;
			} catch (error) {
				await session.rollback();
				throw error;
			}
		});
	}

	async #with<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
		const session = new PostgresSession(await this.#connect(), (error) => this.#faultOf(error));
		try {
			return await work(session);
		} finally {
			session.release();
		}
	}

	async #connect(): Promise<PoolClient> {
		try {
			return await this.#pool.connect();
		} catch (error) {
			throw this.#closed === undefined ? connectFault(error, this.shown) : closed(this.shown);
		}
	}

	/** Idempotent. Whoever still uses it gets a Fault. Waits for what is being done, at most two seconds. */
	close(): Promise<void> {
		this.#closed ??= this.#end();
		return this.#closed;
	}

	async #end(): Promise<void> {
		const overdue = setTimeout(() => void this.#cut(), CLOSE_MS);
		await this.#pool.end();
		clearTimeout(overdue);
		// The pool forgets a connection that failed as it began, such as for want of a password; the server would keep it
		// open for a minute, and it this process.
		await this.#cut();
	}

	/** No answer means that all connections may be dead: to try each would take one limit of time each. */
	async #cut(): Promise<void> {
		// The pool leaves a connection when its socket has closed, a moment after its end.
		const closes = [...this.#sockets].map(
			(socket) => new Promise((resolve) => socket.destroy().once("close", resolve)),
		);
		await Promise.all(closes);
	}

	async #faultOf(error: unknown): Promise<unknown> {
		if (isReadTimeout(error)) await this.#cut();
		const isCut = sqlState(error) === undefined && this.#closed !== undefined;
		return isCut ? closed(this.shown) : postgresFault(error, this.shown);
	}
}

const closed = (shown: string): Fault =>
	new Fault(`the store ${shown} was closed while it was in use`, {
		code: "usage",
		hint: "Call close() once all calls have settled.",
	});

function trackedSockets(): { readonly open: ReadonlySet<Socket>; readonly make: () => Socket } {
	const open = new Set<Socket>();
	const make = (): Socket => {
		const socket = new Socket();
		open.add(socket);
		socket.once("close", () => open.delete(socket));
		return socket;
	};
	return { open, make };
}

/**
 * Connects to a store. Idle connections keep no process running, and one that is lost is replaced by the next call.
 *
 * @param address such as `postgres://user@host/database?schema=team`; a password may come from PGPASSWORD or a passfile
 * @throws Fault `usage` (no address), `store-unreachable`, `store-refused`
 */
export async function connectPostgres(
	address: string,
	limits: PostgresLimits = {},
): Promise<Postgres> {
	const parsed = storeAddress(address);
	const { Pool, types } = await import("pg");
	const sockets = trackedSockets();
	const pool = new Pool({
		connectionString: parsed.connection,
		options: parsed.options,
		application_name: "sparring",
		stream: sockets.make,
		keepAlive: true,
		keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
		connectionTimeoutMillis: limits.connectMs ?? 5_000,
		statement_timeout: limits.statementMs ?? 10_000,
		query_timeout: limits.answerMs ?? 12_000,
		idle_in_transaction_session_timeout: limits.idleMs ?? 8_000,
		max: 10,
		allowExitOnIdle: true,
		types: {
			getTypeParser: (oid: number, format?: "text" | "binary") =>
				NUMERIC_TYPES.includes(oid) ? Number : (types.getTypeParser(oid, format) as unknown),
		},
	});
	// An idle connection that is cut is left by the pool; the next call gets another one.
	pool.on("error", () => undefined);
	const postgres = new Postgres(parsed, pool, sockets.open);
	try {
		await postgres.query("SELECT 1");
		return postgres;
	} catch (error) {
		await postgres.close();
		throw error;
	}
}
