const UNITS: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

const MAX_MS = 2_147_483_647;

/**
 * Milliseconds, above 0 and at most 2,147,483,647, of a text such as `"90s"`, `"30m"`, `"1.5h"`, `"500ms"`, `"2d"`;
 * else undefined.
 */
export function parseDuration(text: string): number | undefined {
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim());
	const unit = UNITS[match?.[2] ?? ""];
	if (match === null || unit === undefined) return undefined;
	const ms = Math.round(Number(match[1]) * unit);
	return ms > 0 && ms <= MAX_MS ? ms : undefined;
}

/** `formatDuration(65_000)` is `"1m 5s"`; below a minute one decimal: `"3.2s"`; from a day on `"1d 1h"`. */
export function formatDuration(ms: number): string {
	if (ms < 59_950) return `${(ms / 1_000).toFixed(1)}s`;
	const seconds = Math.round(ms / 1_000);
	const hours = Math.floor(seconds / 3_600);
	const minutes = Math.floor((seconds % 3_600) / 60);
	if (hours >= 24) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
	return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

/** A duration as a running clock shows it: `formatClock(3_200)` is `"3s"`, from a minute on as {@link formatDuration}. */
export function formatClock(ms: number): string {
	return ms < 60_000
		? `${Math.floor(ms / 1_000)}s`
		: formatDuration(Math.floor(ms / 1_000) * 1_000);
}

/** A duration as a stopwatch shows it: `formatStopwatch(75_000)` is `"1:15"`, an hour and a second `"1:00:01"`. */
export function formatStopwatch(ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1_000));
	const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
