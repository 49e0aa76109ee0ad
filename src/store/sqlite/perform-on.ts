import { NO_REPLY, performNow, type Query, type Reply, type Statement } from "../queries/query.ts";
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
