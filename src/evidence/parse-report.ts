import type { ReportFormat } from "../workflow/workflow.ts";
import { parseCtrf } from "./reports/ctrf.ts";
import { failuresIn } from "./reports/failures-in.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseJest } from "./reports/jest.ts";
import { parseJunit } from "./reports/junit.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { invalid, MAX_REPORT_SIZE, type ParsedReport } from "./reports/parsed-report.ts";
import { parsePytest } from "./reports/pytest.ts";
import { parseTap } from "./reports/tap.ts";
import { parseVitest } from "./reports/vitest.ts";

/** Formats of reports that hold test results. */
export type TestFormat = Extract<
	ReportFormat,
	"junit" | "tap" | "ctrf" | "node-test" | "vitest" | "jest" | "pytest" | "go-test"
>;

const PARSERS: Readonly<Record<TestFormat, (text: string) => ParsedReport>> = {
	junit: parseJunit,
	tap: parseTap,
	ctrf: parseCtrf,
	"node-test": parseNodeTest,
	vitest: parseVitest,
	jest: parseJest,
	pytest: parsePytest,
	"go-test": parseGoTest,
};

/**
 * Reads a report of a format. What it cannot believe is `invalid`, with what failed in it all the same; it never
 * throws.
 */
export function parseReport(format: TestFormat, text: string): ParsedReport {
	return withFailures(format, text, parsed(format, text));
}

/** An invalid report with what is recognised as failed in the text that it was read from; any other as it is. */
export function withFailures(format: TestFormat, text: string, report: ParsedReport): ParsedReport {
	if (report.kind !== "invalid" || text.length > MAX_REPORT_SIZE) return report;
	const failed = guardedFailures(format, text);
	return failed.length === 0 ? report : { ...report, failed };
}

function guardedFailures(format: TestFormat, text: string): readonly string[] {
	try {
		return failuresIn(format, text);
	} catch {
		// A hostile text exhausts the stack of a pattern: then the report is invalid, and no more is known.
		return [];
	}
}

function parsed(format: TestFormat, text: string): ParsedReport {
	try {
		return PARSERS[format](text);
	} catch (error) {
		// Hostile nesting exhausts a parser's stack: that is the report's defect, not ours.
		return invalid(`${format} report cannot be read: ${String(error).slice(0, 200)}`);
	}
}
