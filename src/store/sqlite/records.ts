import { queriedRecords } from "../queries/records.ts";
import type { Records } from "../records.ts";
import type { Database } from "./database.ts";
import { performOn } from "./perform-on.ts";

/**
 * SQLite counts the commits of others (https://sqlite.org/pragma.html#pragma_data_version), and the changes of this
 * connection.
 */
function pulseOf(db: Database): string {
	const others = Number(db.get("PRAGMA data_version")?.["data_version"]);
	const own = Number(db.get("SELECT total_changes() AS own")?.["own"]);
	return `${others}/${own}`;
}

/** The records of a repository in SQLite. The database stays the caller's to close. */
export function sqliteRecords(db: Database): Records {
	return queriedRecords({
		read: async (query) => performOn(db, query),
		snapshot: async (query) => db.snapshot(() => performOn(db, query)),
		change: async (work) => db.immediate(() => performOn(db, work())),
		commit: async (work) => db.immediate(() => performOn(db, work())),
		pulse: async () => pulseOf(db),
	});
}
