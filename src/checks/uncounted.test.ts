import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { TestCase } from "../evidence/evidence.ts";
import { notCounted } from "./uncounted.ts";

const cases = (text: string): TestCase[] =>
	text.split(" ").map((word) => {
		const [id = "", status] = word.split(":");
		return { id, status: status === "f" ? "failed" : status === "s" ? "skipped" : "passed" };
	});
const counts = (failed: number, knownFailing: number, skipped: number) => ({
	total: 5,
	passed: 5 - failed - knownFailing - skipped,
	failed,
	knownFailing,
	skipped,
});

test("each failure and each skip of the start is named", () => {
	const start = {
		purpose: "baseline",
		cases: cases("a b:f c:s"),
		counts: counts(1, 0, 1),
	} as const;
	expect(notCounted(evidence(start))).toBe("1 known failing (b), 1 skipped (c)");
	expect(notCounted(evidence({ purpose: "baseline", cases: cases("a") }))).toBe("");
});

test("later only what failed before is left out, with what is skipped or no longer there", () => {
	const before = { cases: cases("a b:f c gone") };
	const now = evidence({ cases: cases("a:f b:f c:s"), counts: counts(1, 1, 1) });
	expect(notCounted(now, before)).toBe(
		"1 known failing (b), 1 skipped (c), 1 missing since the start (gone)",
	);
});

test("many names are counted, and a check without names tells its numbers", () => {
	const many = cases(Array.from({ length: 9 }, (_, index) => `t${index}:s`).join(" "));
	expect(notCounted(evidence({ cases: many, counts: counts(0, 0, 9) }))).toBe(
		"9 skipped (t0, t1, t2, t3, t4 and 4 more)",
	);
	expect(notCounted(evidence({ cases: null, counts: counts(0, 2, 1) }))).toBe(
		"2 known failing, 1 skipped",
	);
});
