import { withFailures } from "./parse-report.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import {
	countsReport,
	type ParsedReport,
	plainText,
	refuse,
	type TestFormat,
} from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { lastSummaryAt, SUMMARY_RUNNERS, sumSummaries } from "./reports/text-summary.ts";

interface Candidate {
	/** Position of the runner's last output. */
	readonly at: number;
	/** Format of failures in the output; undefined if the runner only prints a summary. */
	readonly format: TestFormat | undefined;
	parse(): ParsedReport | null;
}

/**
 * Finds the results of a known test runner in the output of a command that writes no report.
 *
 * The runner with the last output decides. Several summaries of it, as from several packages, are added up. The exact
 * form is needed: "5 passed" in a sentence does not count.
 *
 * @param output as it came, with or without colours
 * @returns null when no runner is recognised
 */
export function recogniseRunner(output: string): ParsedReport | null {
	const text = plainText(output);
	const candidates: Candidate[] = SUMMARY_RUNNERS.map((runner) => ({
		at: lastSummaryAt(runner, text),
		format: runner === "mocha" ? undefined : runner,
		parse: () => {
			if (runner === "node-test") return parseNodeTest(text);
			return runner === "pytest" ? parsePytest(text) : sumSummaries(runner, text);
		},
	}));
	const tapStarts = [...text.matchAll(/^TAP version 1[34]$/gm)].map(({ index }) => index);
	const [tapStart] = tapStarts;
	if (tapStart !== undefined && tapStarts.length === 1) {
		const at = Math.max(tapStart, lastIndex(text, /^1\.\.\d+/gm));
		candidates.push({ at, format: "tap", parse: () => parseTap(text.slice(tapStart)) });
	}
	const goAt = lastIndex(text, /^(?:ok {2}|FAIL)\t\S+\t(?:\d+\.\d+s|\(cached\))/gm);
	candidates.push({ at: goAt, format: "go-test", parse: () => parseGoTest(text) });
	const unittestAt = lastIndex(text, UNITTEST);
	candidates.push({ at: unittestAt, format: undefined, parse: () => parseUnittest(text) });
	const [found] = candidates.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at);
	if (found === undefined) return tapStarts.length > 1 ? severalStreams(text) : null;
	const report = found.parse();
	return report === null || found.format === undefined
		? report
		: withFailures(found.format, text, report);
}

/** Several TAP streams without a runner's summary: failures count, passing tests do not. */
function severalStreams(text: string): ParsedReport | null {
	const report = withFailures("tap", text, refuse("it contains several TAP streams"));
	return report.kind === "invalid" && report.failed === undefined ? null : report;
}

function lastIndex(text: string, pattern: RegExp): number {
	let at = -1;
	for (const match of text.matchAll(pattern)) at = match.index;
	return at;
}

/** The summary of Python's unittest. The verdict follows an empty line. */
const UNITTEST =
	/^Ran (\d+) tests? in \d+\.\d+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z0-9=, ]*)\))?$/gm;

/**
 * The counts of Python's unittest, summed over several runs.
 *
 * @example `Ran 3 tests in 0.001s`, an empty line and `FAILED (failures=1, skipped=1)` give 1 passed of 3
 */
function parseUnittest(text: string): ParsedReport {
	let [total, failed, skipped] = [0, 0, 0];
	for (const [, ran = "", told = ""] of text.matchAll(UNITTEST)) {
		const count = (name: string): number =>
			Number(new RegExp(`\\b${name}=(\\d+)`).exec(told)?.[1] ?? 0);
		total += Number(ran);
		failed += count("failures") + count("errors") + count("unexpected successes");
		skipped += count("skipped");
	}
	// An error outside of a test, such as a module that does not load, counts as a test that ran.
	const passed = Math.max(0, total - failed - skipped);
	return countsReport({ passed, failed, skipped });
}
