import { ownIdentity, type ProcessIdentity } from "../process-identity.ts";
import { DEAD_AFTER_MS, leasesIn } from "../queries/leases.ts";
import { one, type Query } from "../queries/query.ts";
import type { Leases } from "../records.ts";
import type { Postgres } from "./postgres.ts";
import { postgresRunner } from "./records.ts";

// A lease that cannot be renewed is given up this long before another machine may take it.
const MARGIN_MS = 5_000;

const BEAT_MS = 10_000;

/** After a beat that failed: often enough to use a network that comes back for a moment. */
const RETRY_MS = 1_000;

/**
 * Renews a lease each 10 s, and gives it up when it could not be renewed for 25 s: then another machine may take it 5
 * s later. A beat counts from when it was sent.
 *
 * A process that was stopped for long looks at the clock first. The clock of `now` may stand still while the machine
 * sleeps; then the next beat tells.
 */
export function startHeartbeat(options: {
	readonly beat: () => Promise<boolean>;
	readonly onLost: () => void;
	/** Milliseconds of a clock that nobody sets. */
	readonly now: () => number;
	/** Time on that clock before the lease was taken, not after. */
	readonly heldAt: number;
}): () => void {
	const { beat, onLost, now } = options;
	let { heldAt } = options;
	let ended = false;
	let next: NodeJS.Timeout | undefined;
	const limit = (): number => heldAt + DEAD_AFTER_MS - MARGIN_MS;

	const end = (): void => {
		ended = true;
		clearTimeout(next);
		clearTimeout(deadline);
	};
	const lose = (): void => {
		end();
		onLost();
	};
	const isOver = (): boolean => {
		if (!ended && now() >= limit()) lose();
		return ended;
	};
	const look = (): void => {
		if (!isOver()) deadline = later(look, limit() - now());
	};
	const renew = async (): Promise<void> => {
		if (isOver()) return;
		const sentAt = now();
		const isHeld = await beat().catch(() => undefined);
		if (isOver()) return;
		if (isHeld === false) {
			lose();
			return;
		}
		if (isHeld === true) heldAt = sentAt;
		next = later(renewSoon, isHeld === true ? BEAT_MS - (now() - sentAt) : RETRY_MS);
	};
	const renewSoon = (): void => {
		void renew();
	};

	let deadline = later(look, limit() - now());
	next = later(renewSoon, BEAT_MS - (now() - heldAt));
	return end;
}

function later(work: () => void, ms: number): NodeJS.Timeout {
	return setTimeout(work, Math.max(0, ms)).unref();
}

// The clocks of the machines do not matter.
function* databaseClock(): Query<number> {
	const row = yield* one(
		"SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint) AS now",
	);
	return Number(row?.["now"]);
}

/**
 * Leases in Postgres, see `leasesIn`. Unlike on SQLite a process that runs but does not beat is dead too: it may be stopped
 * or cut off. It gives itself up after 25 s, see `startHeartbeat`.
 */
export function postgresLeases(
	postgres: Postgres,
	options: {
		/** Who takes the leases; by default this process. */
		readonly identity?: ProcessIdentity;
		/** Milliseconds of a clock that nobody sets; by default the process's. */
		readonly monotonic?: () => number;
	} = {},
): Leases {
	const monotonic = options.monotonic ?? (() => performance.now());
	return leasesIn({
		runner: postgresRunner(postgres),
		clock: databaseClock,
		own: options.identity ?? ownIdentity(),
		mustBeat: true,
		heartbeat: (beat, onLost, heldAt) => startHeartbeat({ beat, onLost, heldAt, now: monotonic }),
		monotonic,
	});
}
