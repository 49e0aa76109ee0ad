import { isObject } from "./loose-json.ts";

const countOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/**
 * Counts of test cases as a short text; `""` without counts.
 *
 * @example `{ total: 12, passed: 11, failed: 1 }` gives `"11 of 12 passed, 1 failed"`
 */
export function renderCounts(counts: unknown): string {
	if (!isObject(counts) || typeof counts["total"] !== "number") return "";
	const others = [
		[countOf(counts["failed"]), "failed"],
		[countOf(counts["skipped"]), "skipped"],
		[countOf(counts["known_failing"]), "known failing"],
	] as const;
	return [
		`${countOf(counts["passed"])} of ${counts["total"]} passed`,
		...others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`),
	].join(", ");
}
