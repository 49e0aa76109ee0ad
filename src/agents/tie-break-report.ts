import { z } from "zod";
import { type Parsed, parseReport, type Report } from "./parse-report.ts";

const tieBreakReport = z.looseObject({
	// PASS takes the developer's side, FAIL the reviewer's.
	verdict: z.enum(["PASS", "FAIL"]),
	rationale: z.string().refine((text) => text.trim() !== "", "expected a non-empty string"),
});

/** A tie-breaker's answer to one conflict; its words are never blank. */
export type TieBreakReport = Report<typeof tieBreakReport>;

/**
 * Reads a tie-breaker's report. Both fields are required: `verdict` is exactly `"PASS"` or `"FAIL"`, in capitals, and
 * `rationale` says something. What merely resembles a verdict is refused, not converted: an unclear answer decides
 * nothing. Unknown fields are kept.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @example `parseTieBreakReport('{"verdict":"PASS","rationale":"line 4 refuses it"}')` is ok
 */
export function parseTieBreakReport(
	source: string | null,
	problem?: string,
): Parsed<TieBreakReport> {
	return parseReport({ text: source, problem }, tieBreakReport);
}
