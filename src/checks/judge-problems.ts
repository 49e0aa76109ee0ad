import { newResults } from "../formats/sarif/new-results.ts";
import type { PlacedResult } from "../formats/sarif/place-results.ts";
import type { BaselineView, Judgement, ListedProblems } from "./judgement.ts";

/**
 * Judges a list of problems. A problem that the baseline has too is known and does not count; a new one fails the
 * check, whatever its exit code.
 *
 * @param baseline evidence of the start commit; undefined: every problem counts
 */
export function judgeProblems(
	{ results, ignored }: ListedProblems,
	exitCode: number,
	baseline: BaselineView | undefined,
): Judgement {
	const before = (baseline?.results?.fingerprints ?? []).map((fingerprint) => ({ fingerprint }));
	const { fresh, silenced, known, weight } = newResults(results, before);
	// Suppressed results and those of level `none` do not explain a non-zero exit code.
	const open = known.filter(({ suppressed, level }) => !suppressed && level !== "none");
	const details = [
		...fresh.map(described),
		...silenced.map((result) => `new and suppressed: ${described(result)}`),
		...open.map((result) => `known: ${described(result)}`),
		...(ignored === 0 ? [] : [`${ignored} outside of the checkout were ignored`]),
	];
	const fingerprints = results.map(({ fingerprint }) => fingerprint);
	const figures = { fresh: fresh.length, weight, fingerprints };
	const judged = (status: Judgement["status"], reason: string | null): Judgement => {
		return { status, reason, counts: null, details, started: true, results: figures };
	};
	if (results.length === 0 && ignored > 0) {
		return judged("error", `all ${ignored} problems of the report are outside of the checkout`);
	}
	if (fresh.length > 0) {
		const problems = fresh.length === 1 ? "problem" : "problems";
		return judged("fail", `${fresh.length} ${baseline === undefined ? "" : "new "}${problems}`);
	}
	if (exitCode === 0) return judged("pass", null);
	const unexplained = whyUnexplained(open.length, baseline);
	return unexplained === undefined
		? judged("pass", null)
		: judged("fail", `exit code ${exitCode}, although ${unexplained}`);
}

/** Why known problems do not explain a non-zero exit code; undefined when they do. */
function whyUnexplained(known: number, baseline: BaselineView | undefined): string | undefined {
	if (known === 0) return "the report lists no problem";
	return baseline?.exitCode === 0
		? "the baseline exited with 0 despite the same problems"
		: undefined;
}

function described({ rule, level, path, line, message }: PlacedResult): string {
	const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
	return `${place}${level} ${rule}: ${message}`;
}
