import { systemClock } from "../kernel/clock.ts";
import { folderBlobs } from "../store/folder/blobs.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { sqliteLeases } from "../store/sqlite/leases.ts";
import { sqliteRecords, sqliteRunner } from "../store/sqlite/records.ts";
import type { Store } from "./opened-store.ts";
import type { Places } from "./places.ts";
import { portableRecords } from "./portable-records.ts";
import { usableStore } from "./store-address.ts";

export type { Store } from "./opened-store.ts";

/**
 * Opens the database of a repository, or the Postgres that its machines share.
 *
 * @throws Fault `state-unwritable`, `state-unreadable`, `state-too-new`, `state-too-old`, `disk-full`; of a Postgres `usage`, `store-unreachable`, `store-refused`, `store-outdated`, `state-too-new`
 */
export async function openStore(
	places: Places,
	options: { readonly readOnly?: boolean } = {},
): Promise<Store> {
	const address = usableStore(places);
	if (address !== null) {
		const { openPostgresStore } = await import("./postgres-store.ts");
		return await openPostgresStore(places, address);
	}
	const db = openDatabase(places.database, options);
	const close = async (): Promise<void> => db.close();
	const store: Store = {
		fenced: () => store,
		records: portableRecords(sqliteRecords(db), places),
		leases: sqliteLeases(db, { clock: systemClock }),
		blobs: folderBlobs(places.stateDir),
		machines: null,
		checkpointer: async (fence) => {
			const { checkpointer } = await import("../store/queries/checkpointer.ts");
			return checkpointer(sqliteRunner(db), fence);
		},
		requireFile: () => {
			db.requireFile();
		},
		close,
		[Symbol.asyncDispose]: close,
	};
	return store;
}
