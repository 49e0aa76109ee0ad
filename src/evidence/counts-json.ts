import { type Snake, snake } from "../kernel/snake-case.ts";
import type { TestCounts } from "./evidence.ts";

/** Cases in `known_failing` also failed at the baseline and are not in `failed`. */
export type CountsJson = Snake<TestCounts>;

/** Counts in the form that leaves Sparring: in contexts, questions and traces. */
export function countsJson(counts: TestCounts | null): CountsJson | null {
	return counts && snake(counts, "total", "passed", "failed", "skipped", "knownFailing");
}
