import type { ReportFormat } from "../workflow/workflow.ts";
import { parseCoveragePy, parseIstanbul } from "./coverage/json-coverage.ts";
import { parseGoCover, parseLcov } from "./coverage/text-coverage.ts";
import { parseClover, parseCobertura, parseJacoco } from "./coverage/xml-coverage.ts";
import { parseMutationReport } from "./mutation/mutation-report.ts";
import * as failures from "./reports/failures-in.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseCtrf, parseJest, parseVitest } from "./reports/json-tests.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import {
	type InvalidReport,
	MAX_REPORT_SIZE,
	type ParsedReport,
	refuse,
} from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { parseJunit, parseTrx } from "./reports/xml-tests.ts";
import { parseNpmAudit } from "./sarif/npm-audit.ts";
import { parseSarif } from "./sarif/sarif.ts";

type FormatReader<T> = (text: string) => T;

// Each with what finds the failures in a text that it cannot read.
const READERS_OF_TESTS = {
	junit: [parseJunit, failures.inJunit],
	trx: [parseTrx, failures.inTrx],
	tap: [parseTap, failures.inTap],
	ctrf: [parseCtrf, failures.inCtrf],
	"node-test": [parseNodeTest, failures.inNodeTest],
	vitest: [parseVitest, failures.inJest],
	jest: [parseJest, failures.inJest],
	pytest: [parsePytest, failures.inPytest],
	"go-test": [parseGoTest, failures.inGoTest],
} as const satisfies Readonly<
	Partial<Record<ReportFormat, readonly [FormatReader<ParsedReport>, failures.Finder]>>
>;

/** The reader of each format. The compiler demands one for each name of `KINDS_OF_FORMAT`. */
const READERS = {
	...READERS_OF_TESTS,
	lcov: [parseLcov],
	cobertura: [parseCobertura],
	clover: [parseClover],
	jacoco: [parseJacoco],
	istanbul: [parseIstanbul],
	gocover: [parseGoCover],
	"coverage.py": [parseCoveragePy],
	sarif: [parseSarif],
	"npm-audit": [parseNpmAudit],
	mutation: [parseMutationReport],
} as const satisfies Readonly<
	Record<Exclude<ReportFormat, "exit">, readonly [FormatReader<unknown>, failures.Finder?]>
>;

type Readers = typeof READERS;

export type TestFormat = keyof typeof READERS_OF_TESTS;

export const isTestFormat = (format: string): format is TestFormat =>
	Object.hasOwn(READERS_OF_TESTS, format);

/**
 * Reads a report. One that is not valid is `invalid`, with the failures that can be recognised. Never throws: more than 64 Mi
 * characters are refused, and what a parser throws, such as an exhausted stack, is a reason.
 */
export function parseReport<F extends keyof Readers>(
	format: F,
	text: string,
): ReturnType<Readers[F][0]> | InvalidReport {
	if (text.length > MAX_REPORT_SIZE)
		return refuse(`the report is longer than ${MAX_REPORT_SIZE / 1024 / 1024} MiB`);
	// The reader at a name gives what the type has at that name.
	const [read] = READERS[format] as unknown as readonly [FormatReader<ReturnType<Readers[F][0]>>];
	let report: ReturnType<Readers[F][0]> | InvalidReport;
	try {
		report = read(text);
	} catch (error) {
		report = refuse(`the ${format} report cannot be read: ${String(error)}`);
	}
	return withFailures(format, text, report);
}

/** The report, if it is not valid with the failures that are recognised in its text. */
export function withFailures<T extends { readonly kind: string }>(
	format: keyof Readers,
	text: string,
	report: T | InvalidReport,
): T | InvalidReport {
	const [, find] = READERS[format];
	if (find === undefined || report.kind !== "invalid" || text.length > MAX_REPORT_SIZE)
		return report;
	const failed = failures.failuresIn(find, text);
	return failed.length === 0 ? report : { ...report, failed };
}
