import type { Clock } from "../../kernel/clock.ts";
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
import type { Database, Row } from "./database.ts";

/** Three beats may be late before a holder on another machine counts as dead. */
const BEAT_MS = 10_000;
const DEAD_AFTER_MS = 30_000;

export interface LeaseOptions {
	readonly clock: Clock;
	/** Name of this machine; by default the system's. */
	readonly host?: string;
	/** Who takes the leases; by default this process. */
	readonly identity?: ProcessIdentity;
}

/** A lease that some process holds, dead or alive. */
interface HeldLease {
	readonly identity: ProcessIdentity;
	/** Milliseconds since the epoch. */
	readonly since: number;
	readonly beat: number;
}

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
	};
}

function holderOf({ identity, since, beat }: HeldLease): LeaseHolder {
	const { host, pid } = identity;
	return { host, pid, since: isoTime(since), seenAt: isoTime(beat) };
}

/** Ownership of the runs in one database by one process. */
class SqliteLeases implements Leases {
	readonly #db: Database;
	readonly #clock: Clock;
	readonly #own: ProcessIdentity;

	constructor(db: Database, options: LeaseOptions) {
		this.#db = db;
		this.#clock = options.clock;
		this.#own = options.identity ?? ownIdentity(options.host);
	}

	async take(runId: string, scope: LeaseScope = "run"): Promise<Lease> {
		const epoch = this.#db.immediate(() => {
			const holder = this.#liveHolder(runId, scope);
			if (holder !== undefined)
				throw runHeld(runId, scope, { ...holder.identity, since: holder.since });
			return this.#seize(runId, scope);
		});
		return this.#lease({ runId, scope, epoch });
	}

	async holder(runId: string, scope: LeaseScope = "run"): Promise<LeaseHolder | undefined> {
		const holder = this.#liveHolder(runId, scope);
		if (holder === undefined) return undefined;
		return holderOf(holder);
	}

	async holders(runId: string): Promise<readonly LeaseHolder[]> {
		const rows = this.#db.all(
			`SELECT pid, host, boot, namespace, started, since, beat FROM leases WHERE run_id = ?
			ORDER BY scope <> 'run', scope`,
			runId,
		);
		return rows
			.map(heldLease)
			.flatMap((held) => (held !== undefined && this.#isAlive(held) ? holderOf(held) : []));
	}

	#liveHolder(runId: string, scope: LeaseScope): HeldLease | undefined {
		const held = heldLease(
			this.#db.get(
				"SELECT pid, host, boot, namespace, started, since, beat FROM leases WHERE run_id = ? AND scope = ?",
				runId,
				scopeName(scope),
			),
		);
		return held !== undefined && this.#isAlive(held) ? held : undefined;
	}

	#isAlive({ identity, beat }: HeldLease): boolean {
		if (sharesProcesses(this.#own, identity))
			return processStartTime(identity.pid) === identity.started;
		return this.#clock.now() - beat <= DEAD_AFTER_MS;
	}

	#seize(runId: string, scope: LeaseScope): number {
		const { host, boot, namespace, pid, started } = this.#own;
		const now = this.#clock.now();
		const row = this.#db.get(
			`INSERT INTO leases (run_id, scope, epoch, pid, host, boot, namespace, started, since, beat)
				VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
			ON CONFLICT (run_id, scope) DO UPDATE SET epoch = epoch + 1, pid = ?3, host = ?4, boot = ?5,
				namespace = ?6, started = ?7, since = ?8, beat = ?8
			RETURNING epoch`,
			runId,
			scopeName(scope),
			pid,
			host,
			boot,
			namespace,
			started,
			now,
		);
		return Number(row?.["epoch"]);
	}

	#lease(fence: Fence): Lease {
		const lost = new AbortController();
		const beating = setInterval(() => {
			if (this.#beat(fence)) return;
			clearInterval(beating);
			lost.abort(leaseLost(fence));
		}, BEAT_MS);
		beating.unref();
		let released = false;
		return {
			...fence,
			lost: lost.signal,
			release: async () => {
				clearInterval(beating);
				if (released) return;
				this.#free(fence);
				released = true;
			},
		};
	}

	#free({ runId, scope, epoch }: Fence): void {
		const sql = "UPDATE leases SET pid = NULL WHERE run_id = ? AND scope = ? AND epoch = ?";
		try {
			this.#db.run(sql, runId, scopeName(scope), epoch);
		} catch (error) {
			// The lease went with the database; its user has already reported that it is gone.
			if (!(error instanceof Fault && error.code === "state-lost")) throw error;
		}
	}

	/** @returns false when the lease is another's by now */
	#beat({ runId, scope, epoch }: Fence): boolean {
		const sql = "UPDATE leases SET beat = ? WHERE run_id = ? AND scope = ? AND epoch = ?";
		try {
			return this.#db.run(sql, this.#clock.now(), runId, scopeName(scope), epoch).changes > 0;
		} catch {
			// A beat that cannot be written, on a full disk for instance, is no loss yet: the fence in each write
			// transaction decides that, and a timer has nobody to throw to.
			return true;
		}
	}
}

/**
 * Leases on runs in SQLite; see `Leases`.
 *
 * A holder is looked up by process id and start time where this process can see it, so that its death counts at
 * once and a reused id deceives nobody; elsewhere (another machine, another container) it counts as dead 30 s
 * after its last heartbeat, of which there is one each 10 s. The heartbeat keeps no process running.
 */
export function sqliteLeases(db: Database, options: LeaseOptions): Leases {
	return new SqliteLeases(db, options);
}
