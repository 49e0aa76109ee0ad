import type { Evidence } from "../evidence/evidence.ts";
import type { MetricInputs } from "../evidence/metric-inputs.ts";
import type { ResultFigures } from "../evidence/report-figures.ts";
import { cleanScore } from "../evidence/sarif/new-results.ts";
import { evidenceWords } from "../kernel/evidence-value.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { Measure } from "./metric.ts";

/** What the scores of lint and security are computed from. */
export interface ResultRecords extends Pick<MetricInputs, "newResults"> {
	/** Tree id that is scored: evidence of another tree says nothing of it. */
	readonly tree: string;
	/** The turn's evidence; that of the baseline is left out of account. */
	readonly evidence: readonly Evidence[];
	/** The checks of the workflow. */
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
}

/**
 * `lint_score` and `security_score`: the lowest of the checks of that kind.
 *
 * With a report of results a check scores 1 / (1 + w), where w is the weight of the results that are new against the
 * baseline: none gives 1.0, one error of weight 1 gives 0.5, three give 0.25. It falls with every further result and
 * does not depend on how large the change is. Otherwise its status decides: `pass` 1.0, `fail` 0.0. A check that
 * failed although no result is new scores 0.0. A check without a value leaves the metric without one.
 */
export function resultScore(kind: "lint" | "security", records: ResultRecords): Measure {
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
	return Number.isFinite(weight) && weight >= 0
		? {
				score: cleanScore(results),
				reason: `${check}: ${fresh} new results of weight ${weight}`,
			}
		: { score: null, reason: `${check}: new results of weight ${weight} can't be true` };
}
