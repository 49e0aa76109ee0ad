import { leaseLost, runHeld, scopeName } from "../lease-scope.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import type { Fence, LeaseScope } from "../records.ts";
import { all, change, locked, one, type Query } from "./query.ts";
import { table } from "./table.ts";

/** Whom a lease was last given to; since when, and when its heart beat last, in milliseconds since the epoch. */
export interface HeldLease extends ProcessIdentity {
	readonly since: number;
	readonly beat: number;
}

/** A lease that was given back has no process. */
type LeaseRow = { readonly [Field in keyof HeldLease]: HeldLease[Field] | null };

export const leases = table<LeaseRow>(
	"leases",
	{
		pid: ["pid", "integer?"],
		host: ["host", "text?"],
		boot: ["boot", "text?"],
		namespace: ["namespace", "text?"],
		started: ["started", "text?"],
		since: ["since", "integer?"],
		beat: ["beat", "integer?"],
	},
	{
		keys: { run_id: "text", scope: "text", epoch: "integer" },
		constraints: ["PRIMARY KEY (run_id, scope)"],
	},
);

/** The clock by which leases end: milliseconds since the epoch. */
export type LeaseClock = () => Query<number>;

export type IsAlive = (held: HeldLease, now: number) => boolean;

const OF_RUN = `SELECT ${leases.list} FROM leases WHERE run_id = ?`;
const OF_SCOPE = `${OF_RUN} AND scope = ?`;

function held(row: Parameters<typeof leases.decode>[0] | undefined): HeldLease | undefined {
	const lease = row && leases.decode(row);
	// True because all columns are written together, and only the process id is taken away.
	return lease === undefined || lease.pid === null ? undefined : (lease as HeldLease);
}

/** @throws Fault `run-held` where another process lives that has it */
export function* takeLease(
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

/** The holders of a run that live, that of the run itself first; of one scope where it is named. */
export function* selectHolders(
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

export function* beatLease({ runId, scope, epoch }: Fence, clock: LeaseClock): Query<boolean> {
	const sql = `UPDATE leases SET beat = ? WHERE run_id = ? AND scope = ? AND epoch = ? AND pid IS NOT NULL`;
	return (yield* change(sql, yield* clock(), runId, scopeName(scope), epoch)) > 0;
}

export function* freeLease({ runId, scope, epoch }: Fence): Query<void> {
	const sql = "UPDATE leases SET pid = NULL WHERE run_id = ? AND scope = ? AND epoch = ?";
	yield* change(sql, runId, scopeName(scope), epoch);
}

const EPOCH = "SELECT epoch FROM leases WHERE run_id = ? AND scope = ?";

/**
 * Checks that the fence holds: the lease has its epoch. Part of each write transaction; until that ends, nobody else takes
 * the lease.
 *
 * @throws Fault `lease-lost` when another process took it, or nobody ever did
 */
export function* requireFence(fence: Fence): Query<void> {
	const { runId, scope, epoch } = fence;
	const sql = { sqlite: EPOCH, postgres: `${EPOCH} FOR SHARE` };
	const row = yield* one(sql, runId, scopeName(scope));
	if (row?.["epoch"] !== epoch) throw leaseLost(fence);
}
