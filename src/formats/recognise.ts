import { parseGoTest } from "./reports/go-test.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { type ParsedReport, plainText } from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { lastSummaries, sumSummaries } from "./reports/text-summary.ts";

/** A runner's results in an output: where they end, so that the last runner decides, and how they are read. */
interface Printed {
	readonly at: number;
	read(): ParsedReport | null;
}

const READERS: ReadonlyMap<string, (text: string) => ParsedReport> = new Map([
	["node-test", parseNodeTest],
	["pytest", parsePytest],
]);

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
	const printed = [...lastSummaries(text)].map(([runner, at]): Printed => {
		const read = READERS.get(runner);
		return { at, read: () => read?.(text) ?? sumSummaries(runner, text) };
	});
	const go = lastIndex(text, /^(?:ok {2}|FAIL)\t\S+\t(?:\d+\.\d+s|\(cached\))/gm);
	printed.push({ at: go, read: () => parseGoTest(text) }, tapIn(text));
	const [last] = printed.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at);
	return last?.read() ?? null;
}

// With a version, with a plan before its first point, as bats prints it, or with one at the end, as shell scripts do.
const TAP_STARTS = [/^TAP version 1[34]$/gm, /^1\.\.\d+\n(?=(?:#.*\n)*(?:not )?ok 1\b)/gm];

function tapIn(text: string): Printed {
	const points = indexesOf(text, /^(?:not )?ok 1\b/gm);
	const closed = points.filter((at) => at < lastIndex(text, /^1\.\.\d+$/gm));
	const opened = TAP_STARTS.map((start) => indexesOf(text, start));
	const starts = opened.find(({ length }) => length > 0) ?? closed;
	const [start] = starts;
	if (start === undefined) return { at: -1, read: () => null };
	const read = () => parseTap(text.slice(start));
	if (starts.length === 1 && points.length <= 1) {
		return { at: Math.max(start, lastIndex(text, /^1\.\.\d+/gm)), read };
	}
	// Of several streams, without another runner's summary, failures count, and passing tests do not.
	const failures = () => {
		const report = read();
		return report.kind === "invalid" && report.failed !== undefined ? report : null;
	};
	return { at: 0, read: failures };
}

const indexesOf = (text: string, pattern: RegExp): number[] =>
	[...text.matchAll(pattern)].map(({ index }) => index);

const lastIndex = (text: string, pattern: RegExp): number => indexesOf(text, pattern).at(-1) ?? -1;
