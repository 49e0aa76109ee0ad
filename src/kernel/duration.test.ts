import { expect, test } from "vitest";
import { formatDuration, formatStopwatch, parseDuration } from "./duration.ts";

test.each([
	["90s", 90_000],
	["30m", 1_800_000],
	["1.5h", 5_400_000],
	["500ms", 500],
	["2d", 172_800_000],
	[" 5 m ", 300_000],
])("%s is %d ms", (text, ms) => {
	expect(parseDuration(text)).toBe(ms);
});

test.each(["", "5", "m", "-5m", "0s", "5 weeks", "1e3s", "30d"])("%j is not a duration", (text) => {
	expect(parseDuration(text)).toBeUndefined();
});

test.each([
	[3_200, "3.2s"],
	[65_000, "1m 5s"],
	[59_960, "1m 0s"],
	[7_260_000, "2h 1m"],
	[90_000_000, "1d 1h"],
])("%d ms is shown as %s", (ms, text) => {
	expect(formatDuration(ms)).toBe(text);
});

test.each([
	[-5, "0:00"],
	[75_000, "1:15"],
	[3_601_000, "1:00:01"],
])("%d ms are %s on a stopwatch", (ms, text) => {
	expect(formatStopwatch(ms)).toBe(text);
});
