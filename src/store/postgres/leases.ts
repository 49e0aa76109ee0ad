import { ownIdentity, type ProcessIdentity } from "../process-identity.ts";
import { leasesIn } from "../queries/held-leases.ts";
import { one, type Query } from "../queries/query.ts";
import type { Leases } from "../records.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Postgres } from "./postgres.ts";
import { postgresRunner } from "./records.ts";

/** The database's clock, so that those of the machines do not matter. */
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
		/** Name of this machine; by default the system's. */
		readonly host?: string;
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
		own: options.identity ?? ownIdentity(options.host),
		mustBeat: true,
		heartbeat: (beat, onLost, heldAt) => startHeartbeat({ beat, onLost, heldAt, now: monotonic }),
		monotonic,
	});
}
