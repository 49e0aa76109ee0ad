import type { InvalidReport } from "../reports/parsed-report.ts";

/** Levels of SARIF. `none` is a result that is no problem. */
export type ResultLevel = "error" | "warning" | "note" | "none";

/** One result of a report, its place as the tool names it. */
export interface ReportedResult {
	readonly rule: string;
	readonly level: ResultLevel;
	/** Path or URI of the file; null when the result belongs to none. */
	readonly location: string | null;
	/** From 1; null when the result is about the whole file. */
	readonly line: number | null;
	/** Text of the line, when the report holds it. */
	readonly snippet: string | null;
	/** What the tool itself says makes the result the same in another run, as one text; null when it says nothing. */
	readonly identity: string | null;
	/** At most 2,000 characters. */
	readonly message: string;
	/** True when a comment or setting keeps the tool from complaining, and the report says so. */
	readonly suppressed: boolean;
}

/** The results of a report; an empty list is a run that found nothing. */
export type ResultsReport =
	| { readonly kind: "results"; readonly results: readonly ReportedResult[] }
	| InvalidReport;

/** Most problems named of a report that cannot be believed. */
const MAX_FAILURES = 100;

/** What counts against the change although the report as a whole cannot be believed, as texts. */
export function failuresAmong(results: readonly ReportedResult[]): readonly string[] {
	return results
		.filter(({ suppressed, level }) => !suppressed && level !== "none")
		.slice(0, MAX_FAILURES)
		.map(({ rule, location, message }) => `${location ?? ""} ${rule}: ${message}`.trim());
}

/** Characters kept of a message, as of a failing test. */
export const MAX_MESSAGE = 2_000;
