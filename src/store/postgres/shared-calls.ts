import { randomUUID } from "node:crypto";
import { DEAD_AFTER_MS } from "../queries/leases.ts";
import type { Row } from "../queries/query.ts";
import type { CallInFlight, EndCall, SharedCalls } from "../shared-calls.ts";
import type { Postgres, PostgresClient } from "./postgres.ts";

// Five beats may be missed.
const BEAT_MS = 5_000;

const LIVES = `beat >= clock_timestamp() - interval '${DEAD_AFTER_MS} milliseconds'`;

interface Entry extends CallInFlight {
	readonly agent: string | null;
	readonly kind: "place" | "budget";
}

interface OwnEntries {
	readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
	readonly add: (id: string) => EndCall;
}

/** Entries of this process are kept alive for as long as it has not ended them. */
function ownEntries(postgres: Postgres): OwnEntries {
	const ids = new Set<string>();
	let beating: NodeJS.Timeout | undefined;
	let last: Promise<unknown> = Promise.resolve();
	// Those who wait for the lock would otherwise hold all connections, and who has it needs one more.
	const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
		const done = last.then(work);
		last = done.catch(() => undefined);
		return done;
	};
	const beat = async (): Promise<void> => {
		const sql = "UPDATE calls_under_way SET beat = clock_timestamp() WHERE id = ANY($1)";
		await postgres.query(sql, [[...ids]]).catch(() => undefined);
	};
	const end = (id: string): void => {
		if (!ids.delete(id)) return;
		if (ids.size === 0) {
			clearInterval(beating);
			beating = undefined;
		}
		// What cannot be deleted is not kept alive any more. Before the next decision of this process.
		void inTurn(() => postgres.query("DELETE FROM calls_under_way WHERE id = $1", [id])).catch(
			() => undefined,
		);
	};
	const add = (id: string): EndCall => {
		ids.add(id);
		beating ??= setInterval(() => void beat(), BEAT_MS).unref();
		return () => end(id);
	};
	return { inTurn, add };
}

function callsOf(postgres: Postgres, own: OwnEntries, runId: string): SharedCalls {
	/** Nobody else decides about the run's calls until the transaction has ended. */
	const alone = <T>(decide: (client: PostgresClient) => Promise<T>): Promise<T> =>
		own.inTurn(() =>
			postgres.transaction(async (client) => {
				await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
					`${postgres.schema} calls ${runId}`,
				]);
				return await decide(client);
			}),
		);
	const add = async (
		client: PostgresClient,
		{ taskId, agent, kind, reserve }: Entry,
	): Promise<EndCall> => {
		const id = randomUUID();
		await client.query(`DELETE FROM calls_under_way WHERE run_id = $1 AND NOT ${LIVES}`, [runId]);
		await client.query(
			`INSERT INTO calls_under_way (id, run_id, task_id, agent, kind, usd, beat)
			VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
			[id, runId, taskId, agent, kind, reserve],
		);
		return own.add(id);
	};
	return {
		enter: (decide) =>
			alone(async (client) => {
				const { rows } = await client.query(
					`SELECT task_id, usd FROM calls_under_way WHERE run_id = $1 AND kind = 'budget' AND ${LIVES}`,
					[runId],
				);
				const decision = await decide(rows.map(inFlightOf));
				const { call } = decision;
				if (call === null) return { decision, end: null };
				return { decision, end: await add(client, { ...call, kind: "budget", agent: null }) };
			}),
		place: (agent, most) =>
			alone(async (client) => {
				const { rows } = await client.query(
					`SELECT 1 FROM calls_under_way WHERE run_id = $1 AND kind = 'place' AND agent = $2 AND ${LIVES}`,
					[runId, agent],
				);
				if (rows.length >= most) return null;
				return await add(client, { kind: "place", agent, taskId: "", reserve: null });
			}),
		start: (agent, perMinute) => alone((client) => start(client, [runId, agent], perMinute)),
	};
}

/** Milliseconds until the next start; 0: it is entered. */
async function start(
	client: PostgresClient,
	of: readonly [runId: string, agent: string],
	perMinute: number,
): Promise<number> {
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
}

function inFlightOf(row: Row): CallInFlight {
	const usd = row["usd"];
	return { taskId: String(row["task_id"]), reserve: usd === null ? null : Number(usd) };
}

/** By run: what the machines that work on it know of each other's calls. Times are the database's. */
export function postgresCalls(postgres: Postgres): (runId: string) => SharedCalls {
	const own = ownEntries(postgres);
	return (runId) => callsOf(postgres, own, runId);
}
