import type { ReportFormat } from "../workflow/workflow.ts";
import { parseCtrf } from "./reports/ctrf.ts";
import { parseGoTest } from "./reports/go-test.ts";
import { parseJest } from "./reports/jest.ts";
import { parseJunit } from "./reports/junit.ts";
import { parseNodeTest } from "./reports/node-test.ts";
import { invalid, type ParsedReport } from "./reports/parsed-report.ts";
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

/** Reads a report of a format. What it cannot believe is `invalid`; it never throws. */
export function parseReport(format: TestFormat, text: string): ParsedReport {
	try {
		return PARSERS[format](text);
	} catch (error) {
		// Hostile nesting exhausts a parser's stack: that is the report's defect, not ours.
		return invalid(`${format} report cannot be read: ${String(error).slice(0, 200)}`);
	}
}
