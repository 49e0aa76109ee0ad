const LARGER_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** A number of bytes for people: `formatBytes(1536 * 1024 ** 2)` is `"1.5 GiB"`. */
export function formatBytes(bytes: number): string {
	let [amount, unit] = [bytes, "bytes"];
	for (const larger of LARGER_UNITS) {
		if (amount < 1_024) break;
		[amount, unit] = [amount / 1_024, larger];
	}
	return `${Number(amount.toFixed(1))} ${unit}`;
}
