import type { MetricInputs } from "../checks/metric-inputs.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type {
	CoverageFigures,
	MutationFigures,
	ResultFigures,
} from "../evidence/report-figures.ts";
import { cleanScore } from "../formats/sarif/new-results.ts";
import { assertNever } from "../kernel/assert-never.ts";
import { evidenceWords } from "../kernel/evidence-value.ts";
import type { CheckDefinition, MetricRequest } from "../workflow/workflow.ts";
import {
	type CriterionClaim,
	checklistCompletion,
	type EvalMetric,
	type Measure,
	shareMeasure,
} from "./metric.ts";
import { requirementCoverage } from "./requirement-coverage.ts";

export interface MetricRecords extends ResultRecords, JudgeRecords, MetricInputs {
	readonly claims: readonly CriterionClaim[] | null;
	readonly checklist: readonly ChecklistResult[];
}

/**
 * The metrics that a task asks for, each with its score or the reason why there is none. One that goes wrong has no
 * value, and the others are not touched.
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

/** Share of changed executable lines that the tests ran. */
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

/** Share of the mutants of changed lines that the tests noticed. No value when not all of them were tested. */
export function mutationScore(figures: MutationFigures): Measure {
	if (figures.kind === "absent") return { score: null, reason: figures.reason };
	const { detected, undetected, pending, outside } = figures;
	const ignored = outside === 0 ? "" : `; ${outside} files outside the checkout were ignored`;
	if (pending > 0) {
		return { score: null, reason: `${pending} mutants of the changed lines were not tested` };
	}
	const whole = detected + undetected;
	if (whole === 0) return { score: null, reason: `no mutant lies on a changed line${ignored}` };
	const measure = shareMeasure(
		{ part: detected, whole },
		"mutants of the changed lines were noticed by the tests",
	);
	return { ...measure, reason: `${measure.reason}${ignored}` };
}

interface ResultRecords extends Pick<MetricInputs, "newResults"> {
	readonly tree: string;
	readonly evidence: readonly Evidence[];
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
}

/**
 * The lowest score of the checks of that kind: 1 / (1 + w), where w is the weight of the results that are new against
 * the baseline; without a report 1.0 or 0.0 by its status. A check that failed although no result is new scores 0.0. A
 * check without a value leaves the metric without one.
 */
function resultScore(kind: "lint" | "security", records: ResultRecords): Measure {
	const evidence = records.evidence.filter(
		(piece) => piece.kind === kind && piece.purpose !== "baseline" && piece.tree === records.tree,
	);
	const lacking = records.checks.filter(
		(check) => check.kind === kind && !evidence.some((piece) => piece.check === check.name),
	);
	const judged = [
		...evidence.map((piece) => scored(piece, records.newResults.get(piece.check))),
		...lacking.map(({ name }) => ({ score: null, reason: `${name} left no evidence` })),
	];
	if (judged.length === 0) return { score: null, reason: `there is no check of kind ${kind}` };
	const reason = judged.map((measure) => measure.reason).join("; ");
	const score = judged.reduce<number | null>(
		(least, measure) =>
			least === null || measure.score === null ? null : Math.min(least, measure.score),
		1,
	);
	return { score, reason };
}

function scored(
	{ check, status, reason }: Evidence,
	results: Pick<ResultFigures, "fresh" | "weight"> | undefined,
): Measure {
	if (status === "absent" || status === "error") {
		return {
			score: null,
			reason: `${check} ${evidenceWords(status)}${reason === null ? "" : `: ${reason}`}`,
		};
	}
	if (results === undefined || (status === "fail" && results.weight === 0)) {
		return { score: status === "pass" ? 1 : 0, reason: `${check}: ${status}` };
	}
	const { fresh, weight } = results;
	return {
		score: cleanScore(results),
		reason: `${check}: ${fresh} new results of weight ${weight}`,
	};
}

/** The outcome of an evaluator's call. */
export type JudgeAnswer =
	| {
			readonly ok: true;
			/** The agent that answered, which may be a fallback. */
			readonly agent: string;
			readonly score: number;
			/** Masked. */
			readonly rationale: string;
	  }
	| { readonly ok: false; readonly reason: string };

interface JudgeRecords {
	readonly judges: ReadonlyMap<string, JudgeAnswer>;
	readonly seats: readonly string[];
}

/**
 * Score of the configured evaluator. No value when the agent that answered, which may be a fallback, has a seat in the
 * task.
 */
function judgeScore(evaluator: string | undefined, { judges, seats }: JudgeRecords): Measure {
	if (evaluator === undefined) {
		return { score: null, reason: "llm_judge metric requires evaluator_agent to be set" };
	}
	const answer = judges.get(evaluator);
	if (answer === undefined) return { score: null, reason: `${evaluator} was not asked` };
	if (!answer.ok) return { score: null, reason: `${evaluator} gave no score: ${answer.reason}` };
	const { agent, score, rationale } = answer;
	if (seats.includes(agent)) {
		return {
			score: null,
			reason: `${agent} has a seat in this task, so its score does not count`,
		};
	}
	return { score, reason: `scored by ${agent}`, rationale };
}
