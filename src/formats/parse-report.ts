import type { ReportFormat } from "../workflow/workflow.ts";
import type { CoverageReport } from "./coverage/coverage-report.ts";
import { parseCoveragePy, parseIstanbul } from "./coverage/json-coverage.ts";
import { parseGoCover, parseLcov } from "./coverage/text-coverage.ts";
import { parseClover, parseCobertura, parseJacoco } from "./coverage/xml-coverage.ts";
import { type ParsedMutationReport, parseMutationReport } from "./mutation/mutation-report.ts";
import { failuresIn } from "./reports/failures-in.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseCtrf, parseJest, parseVitest } from "./reports/json-tests.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import {
	MAX_REPORT_SIZE,
	type ParsedReport,
	readGuarded,
	type TestFormat,
} from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { parseJunit, parseTrx } from "./reports/xml-tests.ts";
import { parseNpmAudit } from "./sarif/npm-audit.ts";
import type { ResultsReport } from "./sarif/reported-result.ts";
import { parseSarif } from "./sarif/sarif.ts";

export type CoverageFormat = Extract<
	ReportFormat,
	"lcov" | "cobertura" | "clover" | "jacoco" | "istanbul" | "gocover" | "coverage.py"
>;

export type ResultsFormat = Extract<ReportFormat, "sarif" | "npm-audit">;

type Parser<T> = (text: string) => T;

const TEST_PARSERS: Readonly<Record<TestFormat, Parser<ParsedReport>>> = {
	junit: parseJunit,
	trx: parseTrx,
	tap: parseTap,
	ctrf: parseCtrf,
	"node-test": parseNodeTest,
	vitest: parseVitest,
	jest: parseJest,
	pytest: parsePytest,
	"go-test": parseGoTest,
};

const COVERAGE_PARSERS: Readonly<Record<CoverageFormat, Parser<CoverageReport>>> = {
	lcov: parseLcov,
	cobertura: parseCobertura,
	clover: parseClover,
	jacoco: parseJacoco,
	istanbul: parseIstanbul,
	gocover: parseGoCover,
	"coverage.py": parseCoveragePy,
};

const RESULTS_PARSERS: Readonly<Record<ResultsFormat, Parser<ResultsReport>>> = {
	sarif: parseSarif,
	"npm-audit": parseNpmAudit,
};

/** Reads test results. A report that is not valid is `invalid`, with the failures that can be recognised. Never throws. */
export function parseReport(format: TestFormat, text: string): ParsedReport {
	return withFailures(format, text, readGuarded(format, text, TEST_PARSERS[format]));
}

export function parseCoverage(format: CoverageFormat, text: string): CoverageReport {
	return readGuarded(format, text, COVERAGE_PARSERS[format]);
}

export function parseResults(format: ResultsFormat, text: string): ResultsReport {
	return readGuarded(format, text, RESULTS_PARSERS[format]);
}

/** Reads a report in any format. */
export function parseAnyReport(
	format: Exclude<ReportFormat, "exit">,
	text: string,
): ParsedReport | CoverageReport | ResultsReport | ParsedMutationReport {
	if (isOneOf(format, TEST_PARSERS)) return parseReport(format, text);
	if (isOneOf(format, COVERAGE_PARSERS)) return parseCoverage(format, text);
	return format === "mutation" ? parseMutationReport(text) : parseResults(format, text);
}

function isOneOf<F extends ReportFormat>(
	format: ReportFormat,
	parsers: Readonly<Record<F, unknown>>,
): format is F {
	return Object.hasOwn(parsers, format);
}

export function withFailures(format: TestFormat, text: string, report: ParsedReport): ParsedReport {
	if (report.kind !== "invalid" || text.length > MAX_REPORT_SIZE) return report;
	const failed = guardedFailures(format, text);
	return failed.length === 0 ? report : { ...report, failed };
}

function guardedFailures(format: TestFormat, text: string): readonly string[] {
	try {
		return failuresIn(format, text);
	} catch {
		// A hostile text exhausts the stack of a pattern. The report stays invalid, without names.
		return [];
	}
}
