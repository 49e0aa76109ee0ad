import type { BaselineView, Judgement } from "./judgement.ts";
import { newResults } from "./sarif/new-results.ts";
import type { PlacedResult } from "./sarif/place-results.ts";

/** What a report lists, in files of the checkout or in none. */
export interface ListedProblems {
	readonly results: readonly PlacedResult[];
	/** How many it lists in files that lie elsewhere. */
	readonly ignored: number;
}

/**
 * Judges a list of problems by the baseline rule: a problem that was there at the baseline is known and not counted;
 * one that is new fails the check, whatever its exit code.
 *
 * @param baseline evidence of the start commit; undefined when every problem counts
 */
export function judgeProblems(
	{ results, ignored }: ListedProblems,
	exitCode: number,
	baseline: BaselineView | undefined,
): Judgement {
	const before = (baseline?.results?.fingerprints ?? []).map((fingerprint) => ({ fingerprint }));
	const { fresh, silenced, known, weight } = newResults(results, before);
	// What is suppressed or no failure makes no tool exit with another code than 0.
	const open = known.filter(({ suppressed, level }) => !suppressed && level !== "none");
	const details = [
		...fresh.map(described),
		...silenced.map((result) => `new and suppressed: ${described(result)}`),
		...open.map((result) => `known: ${described(result)}`),
		...(ignored === 0 ? [] : [`${ignored} outside of the checkout were left out`]),
	];
	const fingerprints = results.map(({ fingerprint }) => fingerprint);
	const figures = { fresh: fresh.length, weight, fingerprints };
	const judged = (status: Judgement["status"], reason: string | null): Judgement => {
		return { status, reason, counts: null, details, started: true, results: figures };
	};
	if (results.length === 0 && ignored > 0) {
		return judged("error", `all ${ignored} problems of the report lie outside of the checkout`);
	}
	if (fresh.length > 0) {
		const problems = fresh.length === 1 ? "problem" : "problems";
		return judged("fail", `${fresh.length} ${baseline === undefined ? "" : "new "}${problems}`);
	}
	if (exitCode === 0) return judged("pass", null);
	const unexplained = whyUnexplained(open.length, baseline);
	return unexplained === undefined
		? judged("pass", null)
		: judged("fail", `exit code ${exitCode} although ${unexplained}`);
}

/** Why known problems do not explain a non-zero exit code; undefined when they do. */
function whyUnexplained(known: number, baseline: BaselineView | undefined): string | undefined {
	if (known === 0) return "the report lists no problem";
	return baseline?.exitCode === 0 ? "the same problems left it at 0 at the baseline" : undefined;
}

function described({ rule, level, path, line, message }: PlacedResult): string {
	const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
	return `${place}${level} ${rule}: ${message}`;
}
