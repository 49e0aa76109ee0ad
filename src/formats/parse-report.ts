import type { ReportFormat } from "../workflow/workflow.ts";
import { parseCoveragePy, parseIstanbul } from "./coverage/json-coverage.ts";
import { parseGoCover, parseLcov } from "./coverage/text-coverage.ts";
import { parseClover, parseCobertura, parseJacoco } from "./coverage/xml-coverage.ts";
import { parseMutationReport } from "./mutation/mutation-report.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseCtrf, parseJest, parseVitest } from "./reports/json-tests.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { type InvalidReport, type ParsedReport, readGuarded } from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { parseJunit, parseTrx } from "./reports/xml-tests.ts";
import { parseNpmAudit } from "./sarif/npm-audit.ts";
import { parseSarif } from "./sarif/sarif.ts";

type Reader<T> = (text: string) => T;

const READERS_OF_TESTS = {
	junit: parseJunit,
	trx: parseTrx,
	tap: parseTap,
	ctrf: parseCtrf,
	"node-test": parseNodeTest,
	vitest: parseVitest,
	jest: parseJest,
	pytest: parsePytest,
	"go-test": parseGoTest,
} satisfies Readonly<Record<string, Reader<ParsedReport>>>;

/** The reader of each format: an entry for each name that a workflow may have, which the compiler demands. */
const READERS = {
	...READERS_OF_TESTS,
	lcov: parseLcov,
	cobertura: parseCobertura,
	clover: parseClover,
	jacoco: parseJacoco,
	istanbul: parseIstanbul,
	gocover: parseGoCover,
	"coverage.py": parseCoveragePy,
	sarif: parseSarif,
	"npm-audit": parseNpmAudit,
	mutation: parseMutationReport,
} satisfies Readonly<Record<Exclude<ReportFormat, "exit">, Reader<unknown>>>;

type Readers = typeof READERS;

export type TestFormat = keyof typeof READERS_OF_TESTS;

export const isTestFormat = (format: string): format is TestFormat =>
	Object.hasOwn(READERS_OF_TESTS, format);

/** Reads a report. One that is not valid is `invalid`, with the failures that stand before its fault. Never throws. */
export function parseReport<F extends keyof Readers>(
	format: F,
	text: string,
): ReturnType<Readers[F]> | InvalidReport {
	// The reader at a name gives what the type has at that name.
	const read = READERS[format] as Reader<ReturnType<Readers[F]>>;
	return readGuarded(format, text, read);
}
