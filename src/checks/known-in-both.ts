import type { Evidence } from "../evidence/evidence.ts";
import { failedIds } from "./judge-results.ts";

/**
 * A check's word on a commit, as a baseline on which a failure is known only if it was there before as well.
 *
 * @param before undefined: no failure is known
 * @returns `now` with every other failing case as one that passed, and without every other problem
 */
export function knownInBoth(before: Evidence | undefined, now: Evidence): Evidence {
	const failed = failedIds(before?.cases);
	const cases =
		now.cases?.map((each) =>
			each.status === "failed" && !failed.has(each.id)
				? ({ id: each.id, status: "passed" } as const)
				: each,
		) ?? null;
	if (now.results === undefined) return { ...now, cases };
	const fingerprints = inBoth(before?.results?.fingerprints ?? [], now.results.fingerprints);
	return { ...now, cases, results: { ...now.results, fingerprints } };
}

function inBoth(before: readonly string[], now: readonly string[]): string[] {
	const left = new Map<string, number>();
	for (const each of before) left.set(each, (left.get(each) ?? 0) + 1);
	return now.filter((each) => {
		const count = left.get(each) ?? 0;
		left.set(each, count - 1);
		return count > 0;
	});
}
