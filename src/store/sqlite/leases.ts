import type { Clock } from "../../kernel/clock.ts";
import { ownIdentity, type ProcessIdentity } from "../process-identity.ts";
import { type Heartbeat, leasesIn } from "../queries/leases.ts";
import type { Leases } from "../records.ts";
import type { Database } from "./database.ts";
import { sqliteRunner } from "./records.ts";

const BEAT_MS = 10_000;

const heartbeat: Heartbeat = (beat, onLost) => {
	const look = async (): Promise<void> => {
		// A beat that cannot be written, on a full disk for instance, is no loss yet: the fence in each write
		// transaction decides that.
		if (await beat().catch(() => true)) return;
		clearInterval(beating);
		onLost();
	};
	const beating = setInterval(() => void look(), BEAT_MS).unref();
	return () => clearInterval(beating);
};

/** Leases on runs in SQLite, see `leasesIn`. A process that this one can see holds them as long as it lives. */
export function sqliteLeases(
	db: Database,
	options: {
		readonly clock: Clock;
		/** Who takes the leases; by default this process. */
		readonly identity?: ProcessIdentity;
	},
): Leases {
	return leasesIn({
		runner: sqliteRunner(db),
		clock: function* clock() {
			// Nothing is asked of the database.
			yield* [];
			return options.clock.now();
		},
		own: options.identity ?? ownIdentity(),
		mustBeat: false,
		heartbeat,
	});
}
