import { countEmptyFiles, withoutEmptyFiles } from "./empty-files.ts";
import {
	countsReport,
	invalid,
	type ParsedReport,
	plainText,
	type ReportCounts,
	tooLong,
} from "./parsed-report.ts";
import { parseTapPoints } from "./tap.ts";
import { sumSummaries } from "./text-summary.ts";

/**
 * Reads what `node --test` prints: TAP gives cases, the spec and dot reporters' closing lines counts.
 * A file without tests, which the runner counts as one that passed, is no test.
 */
export function parseNodeTest(text: string): ParsedReport {
	const long = tooLong(text);
	if (long !== undefined) return long;
	const plain = plainText(text);
	const summary = sumSummaries("node-test", plain) ?? invalid("no results of node --test");
	if (summary.kind !== "counts") return summary;
	const starts = [...plain.matchAll(/^TAP version 1[34]$/gm)].map(({ index }) => index);
	const [start] = starts;
	if (start === undefined || starts.length > 1) return testsOnly(summary.counts, plain);
	const tap = parseTapPoints(plain.slice(start));
	// Output of the tests may look like TAP; the runner's own closing lines tell.
	return tap.kind === "cases" && tap.cases.length === summary.counts.total
		? { kind: "cases", cases: withoutEmptyFiles(tap.cases) }
		: testsOnly(summary.counts, plain);
}

function testsOnly({ passed, failed, skipped }: ReportCounts, text: string): ParsedReport {
	return countsReport({ passed: Math.max(0, passed - countEmptyFiles(text)), failed, skipped });
}
