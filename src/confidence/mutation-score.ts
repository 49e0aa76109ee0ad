import type { MutationFigures } from "../evidence/report-figures.ts";
import type { Measure } from "./metric.ts";
import { shareMeasure } from "./share-measure.ts";

/**
 * `mutation_score`: of the mutants of the changed lines the share that the tests noticed. No value when there are no
 * such mutants, or when not all of them were tested.
 *
 * @example of four mutants on changed lines three are killed and one survives: 0.75
 */
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
