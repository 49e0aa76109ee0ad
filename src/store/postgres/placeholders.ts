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
