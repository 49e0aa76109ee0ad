import type { Clock } from "../../kernel/clock.ts";
import { isoTime } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Lease, LeaseHolder, Leases } from "../records.ts";
import type { Database, Row } from "./database.ts";
import { leaseLost } from "./fence.ts";
import {
	ownIdentity,
	type ProcessIdentity,
	processStartTime,
	sharesProcesses,
} from "./process-identity.ts";

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

function runHeld(runId: string, holder: HeldLease): Fault {
	const { host, pid } = holder.identity;
	return new Fault(`run ${runId} is held by ${host}:pid ${pid} since ${isoTime(holder.since)}`, {
		code: "run-held",
		hint: `Wait for it, or stop it with \`spar cancel ${runId}\`.`,
		retryable: true,
	});
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

	async take(runId: string): Promise<Lease> {
		const epoch = this.#db.immediate(() => {
			const holder = this.#liveHolder(runId);
			if (holder !== undefined) throw runHeld(runId, holder);
			return this.#seize(runId);
		});
		return this.#lease(runId, epoch);
	}

	async holder(runId: string): Promise<LeaseHolder | undefined> {
		const holder = this.#liveHolder(runId);
		if (holder === undefined) return undefined;
		const { host, pid } = holder.identity;
		return { host, pid, since: isoTime(holder.since), seenAt: isoTime(holder.beat) };
	}

	#liveHolder(runId: string): HeldLease | undefined {
		const held = heldLease(
			this.#db.get(
				"SELECT pid, host, boot, namespace, started, since, beat FROM leases WHERE run_id = ?",
				runId,
			),
		);
		return held !== undefined && this.#isAlive(held) ? held : undefined;
	}

	#isAlive({ identity, beat }: HeldLease): boolean {
		if (sharesProcesses(this.#own, identity))
			return processStartTime(identity.pid) === identity.started;
		return this.#clock.now() - beat <= DEAD_AFTER_MS;
	}

	#seize(runId: string): number {
		const { host, boot, namespace, pid, started } = this.#own;
		const now = this.#clock.now();
		const row = this.#db.get(
			`INSERT INTO leases (run_id, epoch, pid, host, boot, namespace, started, since, beat)
				VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
			ON CONFLICT (run_id) DO UPDATE SET epoch = epoch + 1, pid = ?2, host = ?3, boot = ?4,
				namespace = ?5, started = ?6, since = ?7, beat = ?7
			RETURNING epoch`,
			runId,
			pid,
			host,
			boot,
			namespace,
			started,
			now,
		);
		return Number(row?.["epoch"]);
	}

	#lease(runId: string, epoch: number): Lease {
		const lost = new AbortController();
		const beating = setInterval(() => {
			if (this.#beat(runId, epoch)) return;
			clearInterval(beating);
			lost.abort(leaseLost(runId));
		}, BEAT_MS);
		beating.unref();
		let released = false;
		return {
			runId,
			epoch,
			lost: lost.signal,
			release: async () => {
				clearInterval(beating);
				if (released) return;
				this.#free(runId, epoch);
				released = true;
			},
		};
	}

	#free(runId: string, epoch: number): void {
		try {
			this.#db.run("UPDATE leases SET pid = NULL WHERE run_id = ? AND epoch = ?", runId, epoch);
		} catch (error) {
			// The lease went with the database; its user has already reported that it is gone.
			if (!(error instanceof Fault && error.code === "state-lost")) throw error;
		}
	}

	/** @returns false when the lease is another's by now */
	#beat(runId: string, epoch: number): boolean {
		const sql = "UPDATE leases SET beat = ? WHERE run_id = ? AND epoch = ?";
		try {
			return this.#db.run(sql, this.#clock.now(), runId, epoch).changes > 0;
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
