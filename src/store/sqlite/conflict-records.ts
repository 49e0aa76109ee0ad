import type { ConflictRecords } from "../../conflict/conflict-resolution-engine.ts";
import { insertConflictRecord } from "../queries/conflict-rows.ts";
import type { Database } from "./database.ts";
import { performOn } from "./perform-on.ts";

/** Keeps conflicts that belong to no run. The database stays the caller's to close. */
export function conflictRecords(db: Database): ConflictRecords {
	return {
		keep: async (record) => {
			db.immediate(() => performOn(db, insertConflictRecord(record)));
		},
	};
}
