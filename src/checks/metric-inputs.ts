import type { Evidence } from "../evidence/evidence.ts";
import type {
	CoverageFigures,
	MutationFigures,
	ResultFigures,
} from "../evidence/report-figures.ts";
import { evidenceWords, hasValue } from "../kernel/evidence-value.ts";
import { isTolerated } from "./judge.ts";

/** The figures of a turn's reports, for metrics. */
export interface MetricInputs {
	readonly coverage: CoverageFigures;
	readonly mutation: MutationFigures;
	/** By name of the check, for checks whose report lists problems. */
	readonly newResults: ReadonlyMap<string, Pick<ResultFigures, "fresh" | "weight">>;
}

/**
 * Collects the figures of a turn's evidence. Of several coverage reports the lowest share counts, since each covers all
 * changed lines; likewise for mutation reports.
 *
 * Figures of a check that is absent or in error do not count. Its reason then explains why there are none.
 *
 * @param evidence for the turn's commit
 */
export function metricInputs(evidence: readonly Evidence[]): MetricInputs {
	const said = evidence.filter((piece) => hasValue(piece.status) || isTolerated(piece));
	const coverage = said.flatMap((piece) => piece.coverage ?? []);
	const mutation = said.flatMap((piece) => piece.mutation ?? []);
	const mute = evidence.filter((piece) => !said.includes(piece));
	return {
		coverage: lowest(coverage, coveredShare) ?? {
			kind: "absent",
			total: null,
			unreported: [],
			reason: silentReason(mute, ["coverage"]) ?? "no check wrote a coverage report",
		},
		mutation: lowest(mutation, noticedShare) ?? {
			kind: "absent",
			reason: silentReason(mute, ["coverage", "mutation"]) ?? "no check wrote a mutation report",
		},
		newResults: new Map(
			said.flatMap(({ check, results }) => (results === undefined ? [] : [[check, results]])),
		),
	};
}

function silentReason(
	evidence: readonly Evidence[],
	kinds: readonly Evidence["kind"][],
): string | undefined {
	const reasons = evidence
		.filter(({ kind }) => kinds.includes(kind))
		.map(
			({ check, status, reason }) =>
				`${check} ${evidenceWords(status)}: ${reason ?? "no reason given"}`,
		);
	return reasons.length === 0 ? undefined : reasons.join("; ");
}

function lowest<T>(all: readonly T[], shareOf: (one: T) => number | null): T | undefined {
	const rank = (one: T): number => shareOf(one) ?? Number.POSITIVE_INFINITY;
	return all.toSorted((a, b) => rank(a) - rank(b))[0];
}

function coveredShare(figures: CoverageFigures): number | null {
	return figures.kind === "absent" ? null : figures.covered / figures.executable;
}

function noticedShare(figures: MutationFigures): number | null {
	if (figures.kind === "absent") return null;
	// An unfinished report has no value, and must not be ignored in favour of one that has.
	if (figures.pending > 0) return -1;
	const whole = figures.detected + figures.undetected;
	return whole === 0 ? null : figures.detected / whole;
}
