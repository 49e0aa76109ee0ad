import type { TestCounts } from "./evidence.ts";

/** Cases in `known_failing` also failed at the baseline and are not in `failed`. */
export type CountsJson = Readonly<
	Record<"total" | "passed" | "failed" | "skipped" | "known_failing", number>
>;

/** Counts in the form that leaves Sparring: in contexts, questions and traces. */
export function countsJson(counts: TestCounts | null): CountsJson | null {
	if (counts === null) return null;
	const { total, passed, failed, skipped, knownFailing } = counts;
	return { total, passed, failed, skipped, known_failing: knownFailing };
}
