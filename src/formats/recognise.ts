import { isTestFormat, type TestFormat, withFailures } from "./parse-report.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { type ParsedReport, plainText, refuse } from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { SUMMARIES, SUMMARY_RUNNERS, type SummaryRunner } from "./reports/summaries.ts";
import { parseTap } from "./reports/tap.ts";
import { sumSummaries } from "./reports/text-summary.ts";

interface PrintedReport {
	readonly at: number;
	readonly format: SummaryRunner | TestFormat;
	parse(): ParsedReport | null;
}

// Bats prints TAP without a version.
const TAP_STARTS = [/^TAP version 1[34]$/gm, /^1\.\.\d+\n(?=(?:#.*\n)*(?:not )?ok 1\b)/gm];

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
	const candidates: PrintedReport[] = SUMMARY_RUNNERS.map((runner) => ({
		at: Math.max(...SUMMARIES[runner].map(({ pattern }) => lastIndex(text, pattern))),
		format: runner,
		parse: () => {
			if (runner === "node-test") return parseNodeTest(text);
			return runner === "pytest" ? parsePytest(text) : sumSummaries(runner, text);
		},
	}));
	const starts = TAP_STARTS.map((start) => [...text.matchAll(start)].map(({ index }) => index));
	const points = [...text.matchAll(/^(?:not )?ok 1\b/gm)].map(({ index }) => index);
	// Without a version or a plan before it, the plan stands at the end, as shell scripts print it.
	const lastPlan = lastIndex(text, /^1\.\.\d+$/gm);
	const closed = points.filter((at) => at < lastPlan);
	const tapStarts = starts.find(({ length }) => length > 0) ?? closed;
	const streams = tapStarts.length === 0 ? 0 : Math.max(tapStarts.length, points.length);
	const [tapStart] = tapStarts;
	if (tapStart !== undefined && streams === 1) {
		const at = Math.max(tapStart, lastIndex(text, /^1\.\.\d+/gm));
		candidates.push({ at, format: "tap", parse: () => parseTap(text.slice(tapStart)) });
	}
	const goAt = lastIndex(text, /^(?:ok {2}|FAIL)\t\S+\t(?:\d+\.\d+s|\(cached\))/gm);
	candidates.push({ at: goAt, format: "go-test", parse: () => parseGoTest(text) });
	const [found] = candidates.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at);
	if (found === undefined) return streams > 1 ? severalStreams(text) : null;
	const report = found.parse();
	const { format } = found;
	return report === null || !isTestFormat(format) ? report : withFailures(format, text, report);
}

// Without a runner's summary: failures count, passing tests do not.
function severalStreams(text: string): ParsedReport | null {
	const report = withFailures("tap", text, refuse("it contains several TAP streams"));
	return report.failed === undefined ? null : report;
}

function lastIndex(text: string, pattern: RegExp): number {
	let at = -1;
	for (const match of text.matchAll(pattern)) at = match.index;
	return at;
}
