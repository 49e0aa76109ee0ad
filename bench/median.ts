/** The middle of the values when sorted; of an even number the mean of the two. `median([3, 1, 2])` is 2. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (upper === undefined || lower === undefined) throw new Error("no values to take a median of");
	return (lower + upper) / 2;
}
