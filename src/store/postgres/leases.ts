import { isoTime } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { leaseLost, runHeld, scopeName } from "../lease-scope.ts";
import {
	ownIdentity,
	type ProcessIdentity,
	processStartTime,
	sharesProcesses,
} from "../process-identity.ts";
import type { Fence, Lease, LeaseHolder, LeaseScope, Leases } from "../records.ts";
import { DEAD_AFTER_MS, startHeartbeat } from "./heartbeat.ts";
import type { Postgres, PostgresClient, Row } from "./postgres.ts";

export interface PostgresLeaseOptions {
	/** Name of this machine; by default the system's. */
	readonly host?: string;
	/** Who takes the leases; by default this process. */
	readonly identity?: ProcessIdentity;
	/** Milliseconds of a clock that nobody sets; by default the process's. */
	readonly monotonic?: () => number;
}

/** Whom a lease was last given to, and whether its heart beats; times are the database's, in milliseconds. */
interface HeldLease {
	readonly identity: ProcessIdentity;
	readonly since: number;
	readonly beat: number;
	readonly beats: boolean;
}

const COLUMNS = `SELECT pid, host, boot, namespace, started,
	floor(extract(epoch FROM since) * 1000)::bigint AS since,
	floor(extract(epoch FROM beat) * 1000)::bigint AS beat,
	beat >= clock_timestamp() - interval '${DEAD_AFTER_MS} milliseconds' AS beats
	FROM leases WHERE run_id = $1`;
const SELECT = `${COLUMNS} AND scope = $2`;

function heldLease(row: Row | undefined): HeldLease | undefined {
	if (row === undefined || row["pid"] === null) return undefined;
	return {
		identity: {
			host: String(row["host"]),
			boot: String(row["boot"]),
			namespace: String(row["namespace"]),
			pid: Number(row["pid"]),
			started: String(row["started"]),
		},
		since: Number(row["since"]),
		beat: Number(row["beat"]),
		beats: row["beats"] === true,
	};
}

function holderOf({ identity, since, beat }: HeldLease): LeaseHolder {
	const { host, pid } = identity;
	return { host, pid, since: isoTime(since), seenAt: isoTime(beat) };
}

/** Ownership of the runs in one store by one process. */
class PostgresLeases implements Leases {
	readonly #postgres: Postgres;
	readonly #own: ProcessIdentity;
	readonly #now: () => number;

	constructor(postgres: Postgres, options: PostgresLeaseOptions) {
		this.#postgres = postgres;
		this.#own = options.identity ?? ownIdentity(options.host);
		this.#now = options.monotonic ?? (() => performance.now());
	}

	async take(runId: string, scope: LeaseScope = "run"): Promise<Lease> {
		const key = [runId, scopeName(scope)];
		const { epoch, heldAt } = await this.#postgres.transaction(async (client) => {
			await client.query(
				"INSERT INTO leases (run_id, scope, epoch) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING",
				key,
			);
			const { rows } = await client.query(`${SELECT} FOR UPDATE`, key);
			const holder = this.#alive(heldLease(rows[0]));
			if (holder !== undefined)
				throw runHeld(runId, scope, { ...holder.identity, since: holder.since });
			const before = this.#now();
			return { epoch: await this.#seize(client, key), heldAt: before };
		});
		return this.#lease({ runId, scope, epoch }, heldAt);
	}

	async holder(runId: string, scope: LeaseScope = "run"): Promise<LeaseHolder | undefined> {
		const { rows } = await this.#postgres.query(SELECT, [runId, scopeName(scope)]);
		const holder = this.#alive(heldLease(rows[0]));
		if (holder === undefined) return undefined;
		return holderOf(holder);
	}

	async holders(runId: string): Promise<readonly LeaseHolder[]> {
		const sql = `${COLUMNS} ORDER BY scope <> 'run', scope`;
		const { rows } = await this.#postgres.query(sql, [runId]);
		return rows.flatMap((row) => {
			const holder = this.#alive(heldLease(row));
			return holder === undefined ? [] : holderOf(holder);
		});
	}

	/** The holder, unless its heart stopped, or its process ended where this one can see it. */
	#alive(held: HeldLease | undefined): HeldLease | undefined {
		if (held?.beats !== true) return undefined;
		const { identity } = held;
		const hasEnded =
			sharesProcesses(this.#own, identity) && processStartTime(identity.pid) !== identity.started;
		return hasEnded ? undefined : held;
	}

	async #seize(client: PostgresClient, key: readonly string[]): Promise<number> {
		const { host, boot, namespace, pid, started } = this.#own;
		const { rows } = await client.query(
			`UPDATE leases SET epoch = epoch + 1, pid = $3, host = $4, boot = $5, namespace = $6, started = $7,
				since = clock_timestamp(), beat = clock_timestamp()
			WHERE run_id = $1 AND scope = $2 RETURNING epoch`,
			[...key, pid, host, boot, namespace, started],
		);
		return Number(rows[0]?.["epoch"]);
	}

	#lease(fence: Fence, heldAt: number): Lease {
		const lost = new AbortController();
		const endHeartbeat = startHeartbeat({
			beat: () => this.#beat(fence),
			onLost: () => lost.abort(leaseLost(fence)),
			now: this.#now,
			heldAt,
		});
		let released = false;
		return {
			...fence,
			lost: lost.signal,
			release: async () => {
				endHeartbeat();
				if (released) return;
				released = await this.#free(fence);
			},
		};
	}

	/** @returns false when the server is away: then the lease ends by itself, as nobody renews it */
	async #free({ runId, scope, epoch }: Fence): Promise<boolean> {
		const sql = "UPDATE leases SET pid = NULL WHERE run_id = $1 AND scope = $2 AND epoch = $3";
		try {
			await this.#postgres.query(sql, [runId, scopeName(scope), epoch]);
			return true;
		} catch (error) {
			if (error instanceof Fault) return false;
			throw error;
		}
	}

	/** @returns false when the lease is another's by now */
	async #beat({ runId, scope, epoch }: Fence): Promise<boolean> {
		const { changes } = await this.#postgres.query(
			`UPDATE leases SET beat = clock_timestamp()
			WHERE run_id = $1 AND scope = $2 AND epoch = $3 AND pid IS NOT NULL`,
			[runId, scopeName(scope), epoch],
		);
		return changes > 0;
	}
}

/**
 * Leases in Postgres; see `Leases`. All times are of the database's clock, so that those of the machines do not matter.
 *
 * A holder counts as dead 30 s after its last heartbeat, of which there is one each 10 s; at once when it ran on this
 * machine and its process ended. Unlike on SQLite a process that runs but does not beat is dead too: it may be stopped
 * or cut off. It gives itself up after 25 s, see `startHeartbeat`.
 */
export function postgresLeases(postgres: Postgres, options: PostgresLeaseOptions = {}): Leases {
	return new PostgresLeases(postgres, options);
}
