import { readGuarded } from "../report-guard.ts";
import type { InvalidReport } from "../reports/parsed-report.ts";
import { parseCobertura } from "./cobertura.ts";
import { parseCoveragePy } from "./coverage-py.ts";
import type { CoverageReport } from "./coverage-report.ts";
import { parseGoCover } from "./go-cover.ts";
import { parseIstanbul } from "./istanbul.ts";
import { parseJacoco } from "./jacoco.ts";
import { parseLcov } from "./lcov.ts";

/** Formats of coverage reports, as the workflow file names them. */
export type CoverageFormat =
	| "lcov"
	| "cobertura"
	| "jacoco"
	| "istanbul"
	| "gocover"
	| "coverage.py";

const PARSERS: Readonly<Record<CoverageFormat, (text: string) => CoverageReport>> = {
	lcov: parseLcov,
	cobertura: parseCobertura,
	jacoco: parseJacoco,
	istanbul: parseIstanbul,
	gocover: parseGoCover,
	"coverage.py": parseCoveragePy,
};

/** Reads a coverage report of a format. What it cannot believe is `invalid`; it never throws. */
export function parseCoverage(
	format: CoverageFormat,
	text: string,
): CoverageReport | InvalidReport {
	return readGuarded(format, text, PARSERS[format]);
}
