import type { InvalidReport } from "../reports/parsed-report.ts";

export type ResultLevel = "error" | "warning" | "note" | "none";

/** One result of a report, with its location as in the report. */
export interface ReportedResult {
	readonly rule: string;
	readonly level: ResultLevel;
	/** Path or URI of the file; null when there is none. */
	readonly location: string | null;
	/** From 1; null when the result is about the whole file. */
	readonly line: number | null;
	/** Text of the line, if the report has it. */
	readonly snippet: string | null;
	/** The tool's own fingerprint, as one text; null when there is none. */
	readonly identity: string | null;
	/** At most 2,000 characters. */
	readonly message: string;
	/** True when the report says that a comment or setting suppresses the result. */
	readonly suppressed: boolean;
}

/** The results of a report. An empty list means that the tool found nothing. */
export type ResultsReport =
	| { readonly kind: "results"; readonly results: readonly ReportedResult[] }
	| InvalidReport;

const MAX_FAILURES = 100;

/** The problems that count even though the report is invalid, as texts. */
export function failuresAmong(results: readonly ReportedResult[]): readonly string[] {
	return results
		.filter(({ suppressed, level }) => !suppressed && level !== "none")
		.slice(0, MAX_FAILURES)
		.map(({ rule, location, message }) => `${location ?? ""} ${rule}: ${message}`.trim());
}

export const MAX_MESSAGE = 2_000;
