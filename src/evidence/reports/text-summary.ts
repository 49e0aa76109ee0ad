import { countsReport, type ParsedReport, type ReportCounts } from "./parsed-report.ts";

/** A runner that prints a summary with the numbers of passed, failed and skipped tests. */
export type SummaryRunner = "node-test" | "vitest" | "jest" | "pytest" | "mocha";

interface Shape {
	/** Matches one whole summary in the runner's exact form. */
	readonly pattern: RegExp;
	/** The part of the match with `3 passed`, `pass 3` and the like. */
	readonly counted: (match: RegExpMatchArray) => string;
	/** The total, if the summary states one. */
	readonly total: (match: RegExpMatchArray) => number | undefined;
}

type Bucket = Exclude<keyof ReportCounts, "total"> | "ignored";

const BUCKETS: Readonly<Record<string, Bucket>> = {
	pass: "passed",
	passed: "passed",
	passing: "passed",
	xpassed: "passed",
	"expected fail": "passed",
	fail: "failed",
	failed: "failed",
	failing: "failed",
	cancelled: "failed",
	error: "failed",
	errors: "failed",
	skipped: "skipped",
	pending: "skipped",
	todo: "skipped",
	xfailed: "skipped",
	deselected: "ignored",
	warning: "ignored",
	warnings: "ignored",
	rerun: "ignored",
	suites: "ignored",
};

const numberAt = (index: number) => (match: RegExpMatchArray) =>
	match[index] === undefined ? undefined : Number(match[index]);

const SHAPES: Readonly<Record<SummaryRunner, Shape>> = {
	"node-test": {
		pattern:
			/^(?:ℹ|#) tests (\d+)\n(?:(?:ℹ|#) suites \d+\n)?((?:(?:ℹ|#) (?:pass|fail|cancelled|skipped|todo) \d+\n){4,5})(?:ℹ|#) duration_ms /gm,
		counted: (match) => match[2] ?? "",
		total: numberAt(1),
	},
	vitest: {
		pattern:
			/^ *Test Files {2}[^\n]+\n(?: *Type Errors [^\n]*\n)? *Tests {2}(no tests|(\d+ [^\n(]+) \((\d+)\))$/gm,
		counted: (match) => match[2] ?? "",
		total: numberAt(3),
	},
	jest: {
		pattern: /^Test Suites: [^\n]*\d+ total\nTests: +((?:\d+ [a-z]+, )*)(\d+) total$/gm,
		counted: (match) => match[1] ?? "",
		total: numberAt(2),
	},
	pytest: {
		pattern:
			/^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests (?:ran|collected)(?: \(.*\))?) in \d+\.\d\ds(?: \(\d+:\d\d:\d\d\))?(?: =+)?$/gm,
		counted: (match) => (match[1]?.startsWith("no tests") === true ? "" : (match[1] ?? "")),
		total: () => undefined,
	},
	mocha: {
		pattern:
			/^ {2}(\d+ passing) \(\d+(?:ms|s|m|h)\)\n(?: {2}(\d+ pending)\n)?(?: {2}(\d+ failing)(?:\n|$))?/gm,
		counted: (match) => match.slice(1).join(" "),
		total: () => undefined,
	},
};

/** All runners with a summary. */
export const SUMMARY_RUNNERS: readonly SummaryRunner[] = [
	"node-test",
	"vitest",
	"jest",
	"pytest",
	"mocha",
];

/** The position of a runner's last summary in a plain text; -1 when there is none. */
export function lastSummaryAt(runner: SummaryRunner, text: string): number {
	let at = -1;
	for (const match of text.matchAll(SHAPES[runner].pattern)) at = match.index;
	return at;
}

/**
 * The sum of all summaries of a runner in a plain text. A script that runs it in several packages prints one for each.
 *
 * @returns null when there is none; `invalid` when a summary contradicts itself
 */
export function sumSummaries(runner: SummaryRunner, text: string): ParsedReport | null {
	const shape = SHAPES[runner];
	const sum = { passed: 0, failed: 0, skipped: 0 };
	let found = false;
	for (const match of text.matchAll(shape.pattern)) {
		found = true;
		const counts = countWords(shape.counted(match));
		if (typeof counts === "string") return { kind: "invalid", reason: counts };
		const { passed, failed, skipped } = counts;
		const total = shape.total(match);
		if (total !== undefined && total !== passed + failed + skipped) {
			return {
				kind: "invalid",
				reason: `its summary states ${total} tests, but its counts do not add up`,
			};
		}
		sum.passed += passed;
		sum.failed += failed;
		sum.skipped += skipped;
	}
	return found ? countsReport(sum) : null;
}

/** Adds up `3 passed | 1 failed`, `pass 3` or `3 passed, 1 failed`; a text names an unknown word. */
function countWords(text: string): Omit<ReportCounts, "total"> | string {
	const counts = { passed: 0, failed: 0, skipped: 0, ignored: 0 };
	const pairs = /(\d+) (expected fail|[a-z]+)|(pass|fail|cancelled|skipped|todo) (\d+)/g;
	for (const [, before, unit, word, after] of text.matchAll(pairs)) {
		const bucket = BUCKETS[unit ?? word ?? ""];
		if (bucket === undefined) return `its summary counts "${unit}"`;
		counts[bucket] += Number(before ?? after);
	}
	return counts;
}
