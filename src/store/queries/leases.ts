import { isoTime } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { leaseLost, runHeld, scopeName } from "../lease-scope.ts";
import { type ProcessIdentity, processStartTime, sharesProcesses } from "../process-identity.ts";
import type { Fence, Lease, LeaseHolder, LeaseScope, Leases } from "../records.ts";
import { all, change, locked, one, type Query, type Runner } from "./query.ts";
import { table } from "./table.ts";

/** Last holder; `since` and `beat` in milliseconds since the epoch. */
interface HeldLease extends ProcessIdentity {
	readonly since: number;
	readonly beat: number;
}

export const leases = table<{ readonly [Field in keyof HeldLease]: HeldLease[Field] | null }>(
	"leases",
	{
		pid: "integer?",
		host: "text?",
		boot: "text?",
		namespace: "text?",
		started: "text?",
		since: "integer?",
		beat: "integer?",
	},
	{
		keys: { run_id: "text", scope: "text", epoch: "integer" },
		constraints: ["PRIMARY KEY (run_id, scope)"],
	},
);

type LeaseClock = () => Query<number>;

type IsAlive = (held: HeldLease, now: number) => boolean;

const OF_RUN = `SELECT ${leases.list} FROM leases WHERE run_id = ?`;
const OF_SCOPE = `${OF_RUN} AND scope = ?`;

function held(row: Parameters<typeof leases.decode>[0] | undefined): HeldLease | undefined {
	const lease = row && leases.decode(row);
	// True because all columns are written together, and only the process id is taken away.
	return lease === undefined || lease.pid === null ? undefined : (lease as HeldLease);
}

function* takeLease(
	{ runId, scope }: Pick<Fence, "runId" | "scope">,
	own: ProcessIdentity,
	{ clock, isAlive }: { readonly clock: LeaseClock; readonly isAlive: IsAlive },
): Query<number> {
	const key = [runId, scopeName(scope)] as const;
	const insert =
		"INSERT INTO leases (run_id, scope, epoch) VALUES (?, ?, 0) ON CONFLICT DO NOTHING";
	yield* change(insert, ...key);
	const holder = held(yield* one(locked(OF_SCOPE), ...key));
	const now = yield* clock();
	if (holder !== undefined && isAlive(holder, now)) throw runHeld(runId, scope, holder);
	const { host, boot, namespace, pid, started } = own;
	const set = leases.assign({ host, boot, namespace, pid, started, since: now, beat: now });
	const sql = `UPDATE leases SET epoch = epoch + 1, ${set?.sql} WHERE run_id = ? AND scope = ? RETURNING epoch`;
	return Number((yield* one(sql, ...(set?.values ?? []), ...key))?.["epoch"]);
}

function* selectHolders(
	runId: string,
	scope: LeaseScope | undefined,
	{ clock, isAlive }: { readonly clock: LeaseClock; readonly isAlive: IsAlive },
): Query<readonly HeldLease[]> {
	const rows =
		scope === undefined
			? yield* all(`${OF_RUN} ORDER BY scope <> 'run', scope`, runId)
			: yield* all(OF_SCOPE, runId, scopeName(scope));
	const now = yield* clock();
	return rows.flatMap((row) => {
		const holder = held(row);
		return holder !== undefined && isAlive(holder, now) ? [holder] : [];
	});
}

function* beatLease({ runId, scope, epoch }: Fence, clock: LeaseClock): Query<boolean> {
	const sql = `UPDATE leases SET beat = ? WHERE run_id = ? AND scope = ? AND epoch = ? AND pid IS NOT NULL`;
	return (yield* change(sql, yield* clock(), runId, scopeName(scope), epoch)) > 0;
}

function* freeLease({ runId, scope, epoch }: Fence): Query<void> {
	const sql = "UPDATE leases SET pid = NULL WHERE run_id = ? AND scope = ? AND epoch = ?";
	yield* change(sql, runId, scopeName(scope), epoch);
}

const EPOCH = "SELECT epoch FROM leases WHERE run_id = ? AND scope = ?";

/** Part of each write transaction: until that ends, nobody else takes the lease. @throws Fault `lease-lost` */
export function* requireFence(fence: Fence): Query<void> {
	const { runId, scope, epoch } = fence;
	const sql = { sqlite: EPOCH, postgres: `${EPOCH} FOR SHARE` };
	const row = yield* one(sql, runId, scopeName(scope));
	if (row?.["epoch"] !== epoch) throw leaseLost(fence);
}

export const DEAD_AFTER_MS = 30_000;

/** Renews a lease from time to time, and tells once when it is lost. @returns what ends that; idempotent */
export type Heartbeat = (
	beat: () => Promise<boolean>,
	onLost: () => void,
	heldAt: number,
) => () => void;

interface LeaseParts {
	readonly runner: Pick<Runner, "read" | "change">;
	readonly clock: LeaseClock;
	readonly own: ProcessIdentity;
	/** True where a process that this one can see and that does not beat counts as dead: it may be stopped or cut off. */
	readonly mustBeat: boolean;
	readonly heartbeat: Heartbeat;
	/** Milliseconds of a clock that nobody sets; by default the process's. */
	readonly monotonic?: () => number;
}

const holderOf = ({ host, pid, since, beat }: HeldLease): LeaseHolder => ({
	host,
	pid,
	since: isoTime(since),
	seenAt: isoTime(beat),
});

/**
 * A holder is looked up by process id and start time where this process can see it, so that its death counts at once
 * and a reused id deceives nobody; elsewhere it counts as dead 30 s after its last heartbeat.
 */
export function leasesIn({
	runner,
	own,
	mustBeat,
	heartbeat,
	monotonic = () => performance.now(),
	clock,
}: LeaseParts): Leases {
	const isAlive = (held: HeldLease, now: number): boolean => {
		const beats = now - held.beat <= DEAD_AFTER_MS;
		if (!sharesProcesses(own, held)) return beats;
		return (beats || !mustBeat) && processStartTime(held.pid) === held.started;
	};
	const how = { clock, isAlive };

	const lease = (fence: Fence, heldAt: number): Lease => {
		const lost = new AbortController();
		const beat = (): Promise<boolean> => runner.change(() => beatLease(fence, clock));
		const endHeartbeat = heartbeat(beat, () => lost.abort(leaseLost(fence)), heldAt);
		let released = false;
		const release = async (): Promise<void> => {
			endHeartbeat();
			if (released) return;
			try {
				await runner.change(() => freeLease(fence));
				released = true;
			} catch (error) {
				// The store is away or gone: the lease ends by itself, as nobody renews it.
				if (!(error instanceof Fault)) throw error;
			}
		};
		return { ...fence, lost: lost.signal, release, [Symbol.asyncDispose]: release };
	};
	return {
		take: async (runId, scope = "run") => {
			let heldAt = monotonic();
			const epoch = await runner.change(function* take() {
				heldAt = monotonic();
				return yield* takeLease({ runId, scope }, own, how);
			});
			return lease({ runId, scope, epoch }, heldAt);
		},
		holder: async (runId, scope) =>
			(await runner.read(selectHolders(runId, scope, how))).map(holderOf)[0],
	};
}
