/**
 * Rows as columns of equal width, two spaces between them; the first row is the heading.
 *
 * @example `table([["task", "status"], ["a", "done"]])` is `"task  status\na     done"`
 */
export function table(rows: readonly (readonly string[])[]): string {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [column, cell] of row.entries()) {
			widths[column] = Math.max(widths[column] ?? 0, cell.length);
		}
	}
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}
