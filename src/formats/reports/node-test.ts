import { countEmptyFiles, withoutEmptyFiles } from "./empty-files.ts";
import {
	countsReport,
	type ParsedReport,
	plainText,
	type ReportCounts,
	refuse,
} from "./parsed-report.ts";
import { parseTapPoints } from "./tap.ts";
import { sumSummaries } from "./text-summary.ts";

/**
 * Reads the output of `node --test`: cases from TAP, counts from the summary of the spec and dot reporters. Leaves out
 * files without tests, which the runner counts as passing.
 */
export function parseNodeTest(text: string): ParsedReport {
	const plain = plainText(text);
	const summary = sumSummaries("node-test", plain) ?? refuse("no results of node --test");
	if (summary.kind !== "counts") return summary;
	const starts = [...plain.matchAll(/^TAP version 1[34]$/gm)].map(({ index }) => index);
	const [start] = starts;
	if (start === undefined || starts.length > 1) return testsOnly(summary.counts, plain);
	const tap = parseTapPoints(plain.slice(start));
	// The tests' own output may look like TAP, so compare with the runner's summary.
	return tap.kind === "cases" && tap.cases.length === summary.counts.total
		? { kind: "cases", cases: withoutEmptyFiles(tap.cases) }
		: testsOnly(summary.counts, plain);
}

function testsOnly({ passed, failed, skipped }: ReportCounts, text: string): ParsedReport {
	return countsReport({ passed: Math.max(0, passed - countEmptyFiles(text)), failed, skipped });
}
