import { NO_REPLY, type Reply, type Statement } from "../queries/query.ts";
import { withPlaceholders } from "./placeholders.ts";
import type { PostgresClient, Row } from "./postgres.ts";
import { readText, storedText } from "./stored-text.ts";

/** A row whose texts are those that were written. */
function readRow(row: Row): Row {
	return Object.fromEntries(
		Object.entries(row).map(([column, value]) => [
			column,
			typeof value === "string" ? readText(value) : value,
		]),
	);
}

/** Runs one statement of a query; texts are stored and read as `stored-text.ts` says. */
export async function answerOn(client: PostgresClient, statement: Statement): Promise<Reply> {
	if (statement.kind === "announce") return NO_REPLY;
	const sql = typeof statement.sql === "string" ? statement.sql : statement.sql.postgres;
	const values = statement.values.map((value) =>
		typeof value === "string" ? storedText(value) : value,
	);
	const { rows, changes } = await client.query(withPlaceholders(sql), values);
	return { rows: rows.map(readRow), changes };
}
