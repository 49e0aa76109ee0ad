import { expect, test } from "vitest";
import { ago, clock, money, share } from "./numbers.ts";

test("money has cents, and four decimals where cents would say nothing", () => {
	expect([0, 0.42, 12, 0.0045, 0.00001, null].map(money)).toEqual([
		"$0.00",
		"$0.42",
		"$12.00",
		"$0.0045",
		"<$0.0001",
		"–",
	]);
});

test("a time is told by how long ago it was, and one to come is now", () => {
	const now = Date.parse("2026-11-22T12:00:00Z");
	const before = (seconds: number): string =>
		ago(new Date(now - seconds * 1_000).toISOString(), now);
	expect([-5, 1, 12, 300, 11_000, 200_000].map(before)).toEqual([
		"now",
		"now",
		"12s ago",
		"5m ago",
		"3h ago",
		"2d ago",
	]);
});

test("a share has two decimals", () => {
	expect([0.8, null].map(share)).toEqual(["0.80", "–"]);
});

test("a time of day has two digits each", () => {
	expect(clock(new Date(2_026, 10, 22, 4, 3, 9).toISOString())).toBe("04:03:09");
});
