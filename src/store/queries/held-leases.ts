import { isoTime } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { leaseLost } from "../lease-scope.ts";
import { type ProcessIdentity, processStartTime, sharesProcesses } from "../process-identity.ts";
import type { Fence, Lease, LeaseHolder, LeaseScope, Leases } from "../records.ts";
import {
	beatLease,
	freeLease,
	type HeldLease,
	type LeaseClock,
	selectHolders,
	takeLease,
} from "./leases.ts";
import type { Runner } from "./records.ts";

/** Without a heartbeat for this long a holder counts as dead, in milliseconds. */
export const DEAD_AFTER_MS = 30_000;

/** Renews a lease from time to time, and tells once when it is lost. @returns what ends that; idempotent */
export type Heartbeat = (
	beat: () => Promise<boolean>,
	onLost: () => void,
	heldAt: number,
) => () => void;

export interface LeaseParts {
	readonly runner: Pick<Runner, "read" | "change">;
	readonly clock: LeaseClock;
	readonly own: ProcessIdentity;
	/** Whether a process that this one can see and that does not beat counts as dead: it may be stopped or cut off. */
	readonly mustBeat: boolean;
	readonly heartbeat: Heartbeat;
	/** Milliseconds of a clock that nobody sets. */
	readonly monotonic: () => number;
}

const holderOf = ({ host, pid, since, beat }: HeldLease): LeaseHolder => ({
	host,
	pid,
	since: isoTime(since),
	seenAt: isoTime(beat),
});

/**
 * Leases in a store; see `Leases`.
 *
 * A holder is looked up by process id and start time where this process can see it, so that its death counts at
 * once and a reused id deceives nobody; elsewhere (another machine, another container) it counts as dead 30 s
 * after its last heartbeat.
 */
export function leasesIn({
	runner,
	own,
	mustBeat,
	heartbeat,
	monotonic,
	clock,
}: LeaseParts): Leases {
	const isAlive = (held: HeldLease, now: number): boolean => {
		const beats = now - held.beat <= DEAD_AFTER_MS;
		if (!sharesProcesses(own, held)) return beats;
		return (beats || !mustBeat) && processStartTime(held.pid) === held.started;
	};
	const how = { clock, isAlive };
	const holders = async (runId: string, scope?: LeaseScope): Promise<readonly LeaseHolder[]> =>
		(await runner.read(selectHolders(runId, scope, how))).map(holderOf);

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
		return { ...fence, lost: lost.signal, release };
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
		holder: async (runId, scope = "run") => (await holders(runId, scope))[0],
		holders: (runId) => holders(runId),
	};
}
