import { type Suspicion, suspicion } from "../suspicion.ts";
import { harmlessTests } from "../test-shape/compare-shapes.ts";
import type { ChangedTest } from "./changed-tests.ts";

/** How many lines a suspicion shows, and how much of each. */
const SHOWN = 6;
const LONGEST = 160;

/**
 * New tests that cannot fail, and assertions that new files replace: one suspicion for each file.
 *
 * @param hasFailed whether a test of this name failed in Sparring's run, and so can
 */
export function harmlessSuspicions(
	tests: readonly ChangedTest[],
	hasFailed: (test: string) => boolean,
): Suspicion[] {
	return tests.flatMap(({ change: { path, kind }, head, shapes }) => {
		if (shapes === null) return [];
		const lines = [
			...harmlessTests(shapes.head)
				.filter(({ name }) => !shapes.isKnown(name) && !hasFailed(name))
				.map(({ line }) => line),
			...(kind === "added" ? shapes.head.shadowed : []),
		];
		const [first] = lines;
		if (first === undefined) return [];
		const texts = head.split(/\r?\n/);
		const shown = lines
			.slice(0, SHOWN)
			.map((line) => `+ ${(texts[line - 1] ?? "").trim().slice(0, LONGEST)}`);
		const more = lines.length - shown.length;
		const text = [...shown, ...(more > 0 ? [`+ ... ${more} more`] : [])].join("\n");
		return [suspicion({ kind: "test_cannot_fail", file: path, line: first, text }, [head])];
	});
}
