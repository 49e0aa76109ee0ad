/** Runs of consecutive lines; `[3, 4, 5, 9]` gives 3 to 5, and 9 to 9. */
export function lineRanges(
	lines: readonly number[],
): { readonly from: number; readonly to: number }[] {
	const ranges: { from: number; to: number }[] = [];
	for (const line of lines) {
		const last = ranges.at(-1);
		if (last?.to === line - 1) last.to = line;
		else ranges.push({ from: line, to: line });
	}
	return ranges;
}
