import { hasValue } from "../kernel/evidence-value.ts";
import type { Evidence } from "./evidence.ts";
import { isTolerated } from "./judge.ts";
import type { CoverageFigures, MutationFigures, ResultFigures } from "./report-figures.ts";

/** What the reports of a turn's checks give metrics to compute with. */
export interface MetricInputs {
	readonly coverage: CoverageFigures;
	readonly mutation: MutationFigures;
	/** By name of the check, of those whose report lists problems. */
	readonly newResults: ReadonlyMap<string, Pick<ResultFigures, "fresh" | "weight">>;
}

/**
 * Collects the figures of a turn's evidence. Of several checks with coverage the one with the lowest share counts, of
 * several with mutants likewise: each report speaks of all changed lines.
 *
 * Figures of a check that is absent or in error count for nothing, and its reason is the reason that there are none.
 *
 * @param evidence of one turn's own commit
 */
export function metricInputs(evidence: readonly Evidence[]): MetricInputs {
	const said = evidence.filter((piece) => hasValue(piece.status) || isTolerated(piece));
	const coverage = said.flatMap((piece) => piece.coverage ?? []);
	const mutation = said.flatMap((piece) => piece.mutation ?? []);
	const mute = silentReason(evidence.filter((piece) => !said.includes(piece)));
	return {
		coverage: lowest(coverage, coveredShare) ?? {
			...{ kind: "absent", total: null, unreported: [] },
			reason: mute ?? "no check wrote a coverage report",
		},
		mutation: lowest(mutation, noticedShare) ?? {
			kind: "absent",
			reason: mute ?? "no check wrote a mutation report",
		},
		newResults: new Map(
			said.flatMap(({ check, results }) => (results === undefined ? [] : [[check, results]])),
		),
	};
}

/** Why the checks of kind coverage gave no figures; undefined when there is none. */
function silentReason(evidence: readonly Evidence[]): string | undefined {
	const reasons = evidence
		.filter(({ kind }) => kind === "coverage")
		.map(
			({ check, status, reason }) => `${check} is ${status}: ${reason ?? "it does not say why"}`,
		);
	return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** The one with the least share; one without a share only where all are. */
function lowest<T>(all: readonly T[], shareOf: (one: T) => number | null): T | undefined {
	const rank = (one: T): number => shareOf(one) ?? Number.POSITIVE_INFINITY;
	return all.toSorted((a, b) => rank(a) - rank(b))[0];
}

function coveredShare(figures: CoverageFigures): number | null {
	return figures.kind === "absent" ? null : figures.covered / figures.executable;
}

function noticedShare(figures: MutationFigures): number | null {
	if (figures.kind === "absent") return null;
	// One that is not finished has no value, and must not be passed over for one that has.
	if (figures.pending > 0) return -1;
	const whole = figures.detected + figures.undetected;
	return whole === 0 ? null : figures.detected / whole;
}
