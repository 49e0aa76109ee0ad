import { z } from "zod";
import { type Parsed, parseReport, type Report } from "./parse-report.ts";
import { requirementsStatus } from "./report.ts";

const evaluatorReport = z.looseObject({
	// From 0.0 to 1.0.
	score: z.number().min(0).max(1),
	rationale: z
		.string()
		.nullish()
		.transform((value) => value ?? ""),
	// In a task without a coach; the metrics about criteria read it.
	requirements_status: requirementsStatus,
});

/** An evaluator's judgement of an output: advice, which moves nothing by itself. */
export type EvaluatorReport = Report<typeof evaluatorReport>;

/**
 * Reads an evaluator's report. `score` is required: a JSON number from 0.0 to 1.0. A text such as `"0.9"`, a
 * percentage such as 85, NaN or an infinity is refused, not converted: an unclear score counts as no score. Unknown
 * fields are kept.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @example `parseEvaluatorReport('{"score":0.8}')` is ok, with an empty rationale
 */
export function parseEvaluatorReport(
	source: string | null,
	problem?: string,
): Parsed<EvaluatorReport> {
	return parseReport({ text: source, problem }, evaluatorReport);
}
