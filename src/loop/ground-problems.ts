import { baselineStand, casesAllFailing } from "../evidence/baseline-stand.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { tellingLines } from "./telling-lines.ts";

/** A setup that failed, or a check that could not run. */
export interface RunFailure {
	readonly why: string;
	/** The last lines of its output that say why. */
	readonly said: readonly string[];
}

/** Something about setup and checks that a person would want to know before the first agent is called. */
export type GroundProblem =
	/** The setup failed in the player's checkout. */
	| ({ readonly kind: "setup" } & RunFailure)
	/** A check could not run at all, so no turn could show anything. */
	| ({ readonly kind: "check"; readonly check: string } & RunFailure)
	/** Each of this many test cases fails on the start commit. `said`: of the first failures, one line each. */
	| { readonly kind: "all_fail"; readonly cases: number; readonly said: readonly string[] }
	/** The runner of a check says that there are no tests yet. */
	| { readonly kind: "no_tests"; readonly check: string };

/** Most failures that are quoted, and the longest of them in characters. */
const MOST_QUOTED = 2;
const LONGEST_QUOTED = 200;

/** What the baseline says that a person would want to know; in the order of the checks. */
export function baselineProblems(evidence: readonly Evidence[]): GroundProblem[] {
	const problems = evidence.flatMap((piece): GroundProblem[] => {
		const { check } = piece;
		const stand = baselineStand(piece);
		if (stand === "no_tests") return [{ kind: "no_tests", check }];
		if (stand !== "could_not_run") return [];
		return [{ kind: "check", check, ...causeOf(piece) }];
	});
	const cases = casesAllFailing(evidence);
	if (cases === 0) return problems;
	const details = evidence.flatMap((piece) => (piece.kind === "acceptance" ? piece.details : []));
	const said = details
		.slice(0, MOST_QUOTED)
		.map((detail) => (detail.split("\n")[0] ?? "").slice(0, LONGEST_QUOTED));
	return [...problems, { kind: "all_fail", cases, said }];
}

/** Where a program says why, its exit code is enough: advice on reports would be of no use. */
function causeOf({ status, reason, exitCode, outputTail }: Evidence): RunFailure {
	const said = tellingLines({ status: "error", outputTail });
	const isTold = said.length > 0 && exitCode !== null && status !== "error";
	return { why: isTold ? `exit code ${exitCode}` : (reason ?? ""), said };
}
