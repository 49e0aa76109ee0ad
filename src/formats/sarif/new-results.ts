import type { PlacedResult } from "./place-results.ts";
import type { ResultLevel } from "./reported-result.ts";

const WEIGHTS: Readonly<Record<ResultLevel, number>> = {
	error: 1,
	warning: 0.5,
	note: 0.1,
	none: 0,
};

export interface NewResults {
	/** Without suppressed ones and those of level `none`. */
	readonly fresh: readonly PlacedResult[];
	readonly silenced: readonly PlacedResult[];
	readonly known: readonly PlacedResult[];
	readonly weight: number;
}

/**
 * Separates new results from known ones by fingerprint. If several results share a fingerprint, as many are known as the
 * baseline has: a second copy of a bad line is new.
 *
 * A result that was suppressed at the baseline and no longer is counts as known.
 *
 * @param baseline results of the start commit; empty when every result counts
 */
export function newResults(
	results: readonly PlacedResult[],
	baseline: readonly Pick<PlacedResult, "fingerprint">[],
): NewResults {
	const open = new Map<string, number>();
	for (const { fingerprint } of baseline) open.set(fingerprint, (open.get(fingerprint) ?? 0) + 1);
	const fresh: PlacedResult[] = [];
	const silenced: PlacedResult[] = [];
	const known: PlacedResult[] = [];
	for (const result of results) {
		const left = open.get(result.fingerprint) ?? 0;
		if (left > 0) {
			open.set(result.fingerprint, left - 1);
			known.push(result);
		} else if (result.suppressed) silenced.push(result);
		else if (result.level !== "none") fresh.push(result);
	}
	const weight = fresh.reduce((sum, { level }) => sum + WEIGHTS[level], 0);
	return { fresh, silenced, known, weight };
}

/**
 * The score of new results: `1 / (1 + weight)`. No new results give 1.0, one error 0.5, two warnings 0.5, three errors
 * 0.25. It never reaches 0.0, so each fixed result improves it.
 */
export function cleanScore({ weight }: Pick<NewResults, "weight">): number {
	return 1 / (1 + weight);
}
