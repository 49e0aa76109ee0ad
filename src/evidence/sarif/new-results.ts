import type { PlacedResult } from "./place-results.ts";
import type { ResultLevel } from "./reported-result.ts";

/** What a result of each level weighs. */
const WEIGHTS: Readonly<Record<ResultLevel, number>> = {
	error: 1,
	warning: 0.5,
	note: 0.1,
	none: 0,
};

/** The results of a run beside those of the baseline. */
export interface NewResults {
	/** Those that are not at the baseline, without suppressed ones and those of level `none`. */
	readonly fresh: readonly PlacedResult[];
	/** Those that are new and suppressed: the change itself may have silenced them. */
	readonly silenced: readonly PlacedResult[];
	/** Those that are at the baseline too. */
	readonly known: readonly PlacedResult[];
	/** How many of the baseline are no longer there. */
	readonly gone: number;
	/** Sum of the weights of `fresh`: error 1, warning 0.5, note 0.1. */
	readonly weight: number;
}

/**
 * Tells new results from those of the baseline by fingerprint. Of results that share one, as many
 * are known as the baseline has: a second copy of a bad line is new.
 *
 * A result that was suppressed at the baseline and no longer is counts as known: its line was there.
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
	return { fresh, silenced, known, gone: baseline.length - known.length, weight };
}

/**
 * A score of new results: `1 / (1 + weight)`. Nothing new gives 1.0, one error 0.5, two warnings 0.5,
 * three errors 0.25. It never reaches 0.0, so that one result fewer always shows.
 */
export function cleanScore({ weight }: Pick<NewResults, "weight">): number {
	return 1 / (1 + weight);
}
