import { readGuarded } from "../report-guard.ts";
import { parseNpmAudit } from "./npm-audit.ts";
import type { ResultsReport } from "./reported-result.ts";
import { parseSarif } from "./sarif.ts";

/** Formats of reports that list problems. */
export type ResultsFormat = "sarif" | "npm-audit";

const PARSERS: Readonly<Record<ResultsFormat, (text: string) => ResultsReport>> = {
	sarif: parseSarif,
	"npm-audit": parseNpmAudit,
};

/** Reads a report of problems. What it cannot believe is `invalid`; it never throws. */
export function parseResults(format: ResultsFormat, text: string): ResultsReport {
	return readGuarded(format, text, PARSERS[format]);
}
