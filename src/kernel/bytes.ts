/**
 * A number of bytes for people.
 *
 * @param bytes 0 or more
 * @example `formatBytes(1536 * 1024 ** 2)` is `"1.5 GiB"`
 */
export function formatBytes(bytes: number): string {
	const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
	const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
	return `${Number((bytes / 1_024 ** power).toFixed(1))} ${units[power] ?? ""}`;
}
