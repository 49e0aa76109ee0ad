import { z } from "zod";
import { type Parsed, parseReport } from "./parse-report.ts";

/** What a planner proposes: tasks in the form of the workflow file, which nobody has checked yet. */
export interface PlannerReport {
	/** By id; at least one. */
	readonly tasks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const plannerReport = z.looseObject({
	tasks: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.refine((tasks) => Object.keys(tasks).length > 0, "expected at least one task"),
});

/**
 * Reads a planner's report. `tasks` is required; the loader of the workflow file decides what each of them may hold.
 * Unknown fields of the report are kept.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @example `parsePlannerReport('{"tasks":{"a":{"description":"x"}}}')` is ok
 */
export function parsePlannerReport(source: string | null, problem?: string): Parsed<PlannerReport> {
	return parseReport({ text: source, problem }, plannerReport);
}
