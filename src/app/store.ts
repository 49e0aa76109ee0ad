import { existsSync } from "node:fs";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { Blobs } from "../kernel/blobs.ts";
import { systemClock } from "../kernel/clock.ts";
import { folderBlobs } from "../store/folder/blobs.ts";
import type { Fence, Leases, Records } from "../store/records.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { sqliteLeases } from "../store/sqlite/leases.ts";
import { sqliteRecords } from "../store/sqlite/records.ts";
import type { Machines } from "./machines/machines.ts";
import type { Places } from "./places.ts";
import { portableRecords } from "./portable-records.ts";

/** How many checkpoints of a thread are kept: the newest, and the one before it for a look back. */
const KEPT_CHECKPOINTS = 2;

/** The database of a repository, as the rest of `app` uses it. */
export interface Store {
	readonly records: Records;
	readonly leases: Leases;
	/** Files of runs, below `.sparring`. */
	readonly blobs: Blobs;
	/** Loads LangGraph; only those who run tasks call it. */
	checkpointer(fence: Fence): Promise<BaseCheckpointSaver>;
	/** What several machines share; null where one process holds a run. */
	readonly machines: Machines | null;
	/** @throws Fault `state-lost` when the database was deleted or replaced since it was opened */
	requireFile(): void;
	/** Idempotent. */
	close(): Promise<void>;
}

/** How a store is opened. */
export interface StoreOptions {
	readonly readOnly?: boolean;
}

/** Whether there is a store to read: a database in the repository, which the first run makes. */
export function hasStore(places: Places): boolean {
	return places.store !== null || existsSync(places.database);
}

/**
 * Opens the database of a repository, or the Postgres that its machines share.
 *
 * @throws Fault `state-unwritable`, `state-unreadable`, `state-too-new`, `state-too-old`, `disk-full`; of a Postgres `store-unreachable`, `store-refused`, `store-outdated`, `state-too-new`
 */
export async function openStore(places: Places, options: StoreOptions = {}): Promise<Store> {
	if (places.store !== null) {
		const { openPostgresStore } = await import("./machines/postgres-store.ts");
		return await openPostgresStore(places, places.store);
	}
	const db = openDatabase(places.database, options);
	return {
		records: portableRecords(sqliteRecords(db), places),
		leases: sqliteLeases(db, { clock: systemClock }),
		blobs: folderBlobs(places.stateDir),
		machines: null,
		checkpointer: async (fence) => {
			const { sqliteCheckpointer } = await import("../store/sqlite/checkpointer.ts");
			return sqliteCheckpointer(db, fence, { keep: KEPT_CHECKPOINTS });
		},
		requireFile: () => {
			db.requireFile();
		},
		close: async () => {
			db.close();
		},
	};
}
