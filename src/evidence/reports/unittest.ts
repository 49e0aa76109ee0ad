import { countsReport, type ParsedReport } from "./parsed-report.ts";

/** The closing lines of Python's unittest; the verdict stands after an empty line. */
const SUMMARY =
	/^Ran (\d+) tests? in \d+\.\d+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z0-9=, ]*)\))?$/gm;

/** Where the last summary of unittest stands in an output; -1 without one. */
export function lastUnittestAt(text: string): number {
	return [...text.matchAll(SUMMARY)].at(-1)?.index ?? -1;
}

/**
 * Counts of Python's unittest, those of several runs added up.
 *
 * @example `Ran 3 tests in 0.001s`, an empty line and `FAILED (failures=1, skipped=1)` give 1 passed of 3
 */
export function parseUnittest(text: string): ParsedReport {
	let [total, failed, skipped] = [0, 0, 0];
	for (const [, ran = "", told = ""] of text.matchAll(SUMMARY)) {
		const count = (name: string): number =>
			Number(new RegExp(`\\b${name}=(\\d+)`).exec(told)?.[1] ?? 0);
		total += Number(ran);
		failed += count("failures") + count("errors") + count("unexpected successes");
		skipped += count("skipped");
	}
	// An error outside of any test, such as a module that does not load, is counted as a test that ran.
	const passed = Math.max(0, total - failed - skipped);
	return countsReport({ passed, failed, skipped });
}
