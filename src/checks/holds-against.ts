import type { Evidence } from "../evidence/evidence.ts";

/**
 * True where the passes of checks would be the same against this baseline: none of them rests on a failure that was
 * known, and every case that passed at the baseline ran.
 *
 * @param checks names of the checks that must have passed
 * @param evidence of one tree; of a check that ran several times the last one counts
 */
export function holdsAgainst(
	checks: readonly string[],
	evidence: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): boolean {
	return checks.every((name) => {
		const piece = evidence.findLast(({ check }) => check === name);
		return piece !== undefined && isPlainPass(piece) && ranAll(piece, baseline.get(name));
	});
}

function isPlainPass({ status, counts, results }: Evidence): boolean {
	const known = counts?.knownFailing ?? 0;
	return status === "pass" && known === 0 && (results?.fingerprints.length ?? 0) === 0;
}

function ranAll(piece: Evidence, before: Evidence | undefined): boolean {
	const passed = (before?.cases ?? []).filter(({ status }) => status === "passed");
	const ran = new Set(
		(piece.cases ?? []).filter(({ status }) => status !== "skipped").map(({ id }) => id),
	);
	return passed.every(({ id }) => ran.has(id));
}
