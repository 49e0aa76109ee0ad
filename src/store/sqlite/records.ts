import {
	NO_REPLY,
	performNow,
	type Query,
	type Reply,
	type Runner,
	type Statement,
} from "../queries/query.ts";
import { queriedRecords } from "../queries/records.ts";
import type { Records } from "../records.ts";
import type { Database } from "./database.ts";

/** Runs a query at once on this connection. Transactions are the caller's. */
export function performOn<Result>(db: Database, query: Query<Result>): Result {
	return performNow(query, (statement) => answer(db, statement));
}

function answer(db: Database, statement: Statement): Reply {
	// One process holds a run here, and schedules its tasks and lands it itself.
	if (statement.kind === "announce") return NO_REPLY;
	const { kind, values } = statement;
	const sql = typeof statement.sql === "string" ? statement.sql : statement.sql.sqlite;
	switch (kind) {
		case "one": {
			const row = db.get(sql, ...values);
			return row === undefined ? NO_REPLY : { rows: [row], changes: 0 };
		}
		case "all":
			return { rows: db.all(sql, ...values), changes: 0 };
		case "change":
			return { rows: [], changes: db.run(sql, ...values).changes };
	}
}

// Commits of others (https://sqlite.org/pragma.html#pragma_data_version), and changes of this connection.
function pulseOf(db: Database): string {
	const others = Number(db.get("PRAGMA data_version")?.["data_version"]);
	const own = Number(db.get("SELECT total_changes() AS own")?.["own"]);
	return `${others}/${own}`;
}

export const sqliteRunner = (db: Database): Runner => ({
	read: async (query) => performOn(db, query),
	snapshot: async (query) => db.snapshot(() => performOn(db, query)),
	change: async (work) => db.immediate(() => performOn(db, work())),
	commit: async (work) => db.immediate(() => performOn(db, work())),
	pulse: async () => pulseOf(db),
});

/** The records of a repository in SQLite. The database stays the caller's to close. */
export const sqliteRecords = (db: Database): Records => queriedRecords(sqliteRunner(db));
