import type { ChecklistResult } from "../evidence/checklist.ts";
import type { MetricInputs } from "../evidence/metric-inputs.ts";
import type { CoverageFigures } from "../evidence/report-figures.ts";
import { assertNever } from "../kernel/assert-never.ts";
import type { MetricRequest } from "../workflow/workflow.ts";
import { type CriterionClaim, checklistCompletion } from "./checklist-completion.ts";
import { type JudgeRecords, judgeScore } from "./judge-score.ts";
import type { EvalMetric, Measure } from "./metric.ts";
import { mutationScore } from "./mutation-score.ts";
import { requirementCoverage } from "./requirement-coverage.ts";
import { type ResultRecords, resultScore } from "./result-score.ts";
import { shareMeasure } from "./share-measure.ts";

/** All that metrics are computed from: what the orchestrator ran and recorded of one turn. */
export interface MetricRecords extends ResultRecords, JudgeRecords, MetricInputs {
	/** What the coach said of the criteria, or in a task without one its evaluators; null when nobody did. */
	readonly claims: readonly CriterionClaim[] | null;
	/** Results of the task's checklist; empty without one. */
	readonly checklist: readonly ChecklistResult[];
}

/**
 * The metrics that a task asks for, in that order, each with its score or the reason why there is none.
 *
 * Nothing that goes wrong in one of them is thrown: that metric has no value, and the others are not touched.
 */
export function metricsOf(
	requests: readonly MetricRequest[],
	records: MetricRecords,
): EvalMetric[] {
	return requests.map((request) => ({ ...request, ...measured(request, records) }));
}

function measured(request: MetricRequest, records: MetricRecords): Measure {
	try {
		return measure(request, records);
	} catch (error) {
		// The one place where a bug is a value: a score is advice, and advice must not end a run.
		const message =
			error instanceof Error ? error.message : "something that is not an Error was thrown";
		return { score: null, reason: `it could not be computed: ${message}` };
	}
}

function measure({ type, evaluator_agent }: MetricRequest, records: MetricRecords): Measure {
	switch (type) {
		case "test_coverage":
			return testCoverage(records.coverage);
		case "lint_score":
			return resultScore("lint", records);
		case "security_score":
			return resultScore("security", records);
		case "checklist_completion":
			return checklistCompletion(records);
		case "requirement_coverage":
			return requirementCoverage(records);
		case "mutation_score":
			return mutationScore(records.mutation);
		case "llm_judge":
			return judgeScore(evaluator_agent, records);
		default:
			return assertNever(type);
	}
}

/**
 * `test_coverage`: the share of changed executable lines that the tests ran.
 *
 * @example 9 of 10 changed lines and 0.4 in total give 0.9, `"9 of 10 changed lines are covered; 0.40 in total"`
 */
function testCoverage(figures: CoverageFigures): Measure {
	const { total } = figures;
	const beside = total === null ? "" : `; ${total.toFixed(2)} in total`;
	const { score, reason } =
		figures.kind === "absent"
			? { score: null, reason: figures.reason }
			: shareMeasure(
					{ part: figures.covered, whole: figures.executable },
					"changed lines are covered",
				);
	return { score, reason: `${reason}${beside}` };
}
