import { type TestFormat, withFailures } from "./parse-report.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { invalid, type ParsedReport, plainText } from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { lastSummaryAt, SUMMARY_RUNNERS, sumSummaries } from "./reports/text-summary.ts";
import { lastUnittestAt, parseUnittest } from "./reports/unittest.ts";

interface Candidate {
	/** Where the last sign of the runner stands. */
	readonly at: number;
	/** How failures stand in the output; undefined where only its closing lines tell. */
	readonly format: TestFormat | undefined;
	parse(): ParsedReport | null;
}

/**
 * Finds the results of a known test runner in the output of a command that writes no report.
 *
 * The runner that speaks last decides; its summaries are added up, as of several packages. Its own
 * form is needed: the words "5 passed" in a sentence are nothing.
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
	const unittestAt = lastUnittestAt(text);
	candidates.push({ at: unittestAt, format: undefined, parse: () => parseUnittest(text) });
	const [found] = candidates.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at);
	if (found === undefined) return tapStarts.length > 1 ? severalStreams(text) : null;
	const report = found.parse();
	return report === null || found.format === undefined
		? report
		: withFailures(found.format, text, report);
}

/** Several streams of TAP without a runner's closing lines: what failed in them counts, what passed is not believed. */
function severalStreams(text: string): ParsedReport | null {
	const report = withFailures("tap", text, invalid("it holds several streams of TAP"));
	return report.kind === "invalid" && report.failed === undefined ? null : report;
}

function lastIndex(text: string, pattern: RegExp): number {
	let at = -1;
	for (const match of text.matchAll(pattern)) at = match.index;
	return at;
}
