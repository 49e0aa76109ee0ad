import { NO_REPLY, type Reply, type Statement } from "../queries/query.ts";
import type { PostgresClient, Row } from "./postgres.ts";

const MARK = "\u001a";

/**
 * A text as Postgres can hold it, which has no NUL: that becomes U+001A and `0`, and U+001A itself becomes U+001A and `1`.
 * Different texts stay different, so comparisons hold.
 *
 * @example `storedText("a\0b")` is `"a\u001a0b"`
 */
export function storedText(text: string): string {
	return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

export function readText(stored: string): string {
	// In what is stored each mark is followed by its digit, so neither finds what is of the other.
	return stored.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}

const known = new Map<string, string>();

/**
 * A statement's text as Postgres takes it: `?` is the next parameter and `?2` the second one, as in SQLite. Texts in
 * quotes stay as they are.
 *
 * @example `withPlaceholders("a = ? AND b IN (?, ?1)")` is `"a = $1 AND b IN ($2, $1)"`
 */
export function withPlaceholders(sql: string): string {
	const found = known.get(sql) ?? translated(sql);
	known.set(sql, found);
	return found;
}

function translated(sql: string): string {
	let last = 0;
	return sql.replace(/'[^']*'|\?(\d*)/g, (part, place: string | undefined) => {
		if (place === undefined) return part;
		const number = place === "" ? last + 1 : Number(place);
		last = Math.max(last, number);
		return `$${number}`;
	});
}

function readRow(row: Row): Row {
	return Object.fromEntries(
		Object.entries(row).map(([column, value]) => [
			column,
			typeof value === "string" ? readText(value) : value,
		]),
	);
}

export async function answerOn(client: PostgresClient, statement: Statement): Promise<Reply> {
	if (statement.kind === "announce") return NO_REPLY;
	const sql = typeof statement.sql === "string" ? statement.sql : statement.sql.postgres;
	const values = statement.values.map((value) =>
		typeof value === "string" ? storedText(value) : value,
	);
	const { rows, changes } = await client.query(withPlaceholders(sql), values);
	return { rows: rows.map(readRow), changes };
}
