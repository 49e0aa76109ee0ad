import { invalid, type ParsedReport, plainText, tooLong } from "./parsed-report.ts";
import { parseTap } from "./tap.ts";
import { sumSummaries } from "./text-summary.ts";

/** Reads what `node --test` prints: TAP gives cases, the spec and dot reporters' closing lines counts. */
export function parseNodeTest(text: string): ParsedReport {
	const long = tooLong(text);
	if (long !== undefined) return long;
	const plain = plainText(text);
	const summary = sumSummaries("node-test", plain) ?? invalid("no results of node --test");
	const starts = [...plain.matchAll(/^TAP version 1[34]$/gm)].map(({ index }) => index);
	const [start] = starts;
	if (start === undefined || starts.length > 1 || summary.kind !== "counts") return summary;
	const tap = parseTap(plain.slice(start));
	// Output of the tests may look like TAP; the runner's own closing lines tell.
	return tap.kind === "cases" && tap.cases.length === summary.counts.total ? tap : summary;
}
