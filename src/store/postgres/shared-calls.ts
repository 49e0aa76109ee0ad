import { randomUUID } from "node:crypto";
import { DEAD_AFTER_MS } from "../queries/leases.ts";
import type {
	CallDecision,
	CallInFlight,
	EndCall,
	EnteredCall,
	SharedCalls,
} from "../shared-calls.ts";
import type { Postgres, PostgresClient, Row } from "./postgres.ts";

// Five beats may be missed.
const BEAT_MS = 5_000;

const LIVES = `beat >= clock_timestamp() - interval '${DEAD_AFTER_MS} milliseconds'`;

interface Entry extends CallInFlight {
	readonly agent: string | null;
	readonly kind: "place" | "budget";
}

class OwnEntries {
	readonly #postgres: Postgres;
	readonly #ids = new Set<string>();
	#beating: NodeJS.Timeout | undefined;
	#last: Promise<unknown> = Promise.resolve();

	constructor(postgres: Postgres) {
		this.#postgres = postgres;
	}

	// Those who wait for the lock would otherwise hold all connections, and who has it needs one more.
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = done.catch(() => undefined);
		return done;
	}

	add(id: string): EndCall {
		this.#ids.add(id);
		this.#beating ??= setInterval(() => void this.#beat(), BEAT_MS).unref();
		return () => this.#end(id);
	}

	#end(id: string): void {
		if (!this.#ids.delete(id)) return;
		if (this.#ids.size === 0) {
			clearInterval(this.#beating);
			this.#beating = undefined;
		}
		// What cannot be deleted is not kept alive any more. Before the next decision of this process.
		void this.inTurn(() =>
			this.#postgres.query("DELETE FROM calls_under_way WHERE id = $1", [id]),
		).catch(() => undefined);
	}

	async #beat(): Promise<void> {
		await this.#postgres
			.query("UPDATE calls_under_way SET beat = clock_timestamp() WHERE id = ANY($1)", [
				[...this.#ids],
			])
			.catch(() => undefined);
	}
}

class PostgresCalls implements SharedCalls {
	readonly #postgres: Postgres;
	readonly #runId: string;
	readonly #own: OwnEntries;

	constructor(postgres: Postgres, own: OwnEntries, runId: string) {
		this.#postgres = postgres;
		this.#own = own;
		this.#runId = runId;
	}

	enter<D extends CallDecision>(
		decide: (inFlight: readonly CallInFlight[]) => Promise<D>,
	): Promise<EnteredCall<D>> {
		return this.#alone(async (client) => {
			const { rows } = await client.query(
				`SELECT task_id, usd FROM calls_under_way WHERE run_id = $1 AND kind = 'budget' AND ${LIVES}`,
				[this.#runId],
			);
			const decision = await decide(rows.map(inFlightOf));
			const { call } = decision;
			if (call === null) return { decision, end: null };
			const end = await this.#add(client, { ...call, kind: "budget", agent: null });
			return { decision, end };
		});
	}

	place(agent: string, most: number): Promise<EndCall | null> {
		return this.#alone(async (client) => {
			const { rows } = await client.query(
				`SELECT 1 FROM calls_under_way WHERE run_id = $1 AND kind = 'place' AND agent = $2 AND ${LIVES}`,
				[this.#runId, agent],
			);
			if (rows.length >= most) return null;
			return await this.#add(client, { kind: "place", agent, taskId: "", reserve: null });
		});
	}

	start(agent: string, perMinute: number): Promise<number> {
		return this.#alone(async (client) => {
			const of = [this.#runId, agent];
			await client.query(
				`DELETE FROM call_starts WHERE run_id = $1 AND agent = $2
				AND at <= clock_timestamp() - interval '1 minute'`,
				of,
			);
			const { rows } = await client.query(
				`SELECT ceil(extract(epoch FROM at + interval '1 minute' - clock_timestamp()) * 1000)::bigint AS ms
				FROM call_starts WHERE run_id = $1 AND agent = $2 ORDER BY at DESC OFFSET $3 LIMIT 1`,
				[...of, perMinute - 1],
			);
			const [counted] = rows;
			if (counted !== undefined) return Math.max(1, Number(counted["ms"]));
			await client.query(
				"INSERT INTO call_starts (run_id, agent, at) VALUES ($1, $2, clock_timestamp())",
				of,
			);
			return 0;
		});
	}

	#alone<T>(decide: (client: PostgresClient) => Promise<T>): Promise<T> {
		return this.#own.inTurn(() =>
			this.#postgres.transaction(async (client) => {
				await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
					`${this.#postgres.schema} calls ${this.#runId}`,
				]);
				return await decide(client);
			}),
		);
	}

	async #add(client: PostgresClient, { taskId, agent, kind, reserve }: Entry): Promise<EndCall> {
		const id = randomUUID();
		await client.query(`DELETE FROM calls_under_way WHERE run_id = $1 AND NOT ${LIVES}`, [
			this.#runId,
		]);
		await client.query(
			`INSERT INTO calls_under_way (id, run_id, task_id, agent, kind, usd, beat)
			VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
			[id, this.#runId, taskId, agent, kind, reserve],
		);
		return this.#own.add(id);
	}
}

function inFlightOf(row: Row): CallInFlight {
	const usd = row["usd"];
	return { taskId: String(row["task_id"]), reserve: usd === null ? null : Number(usd) };
}

/** By run: what the machines that work on it know of each other's calls. Times are the database's. */
export function postgresCalls(postgres: Postgres): (runId: string) => SharedCalls {
	const own = new OwnEntries(postgres);
	return (runId) => new PostgresCalls(postgres, own, runId);
}
