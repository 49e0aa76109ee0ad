import {
	type BaselineStand,
	baselineStand,
	casesAllFailing,
	missingPackages,
} from "../evidence/baseline-stand.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { assertNever } from "../kernel/assert-never.ts";
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
	/** An acceptance check gives no result that can be judged, or hides that its program is missing. */
	| ({ readonly kind: "unclear"; readonly check: string } & RunFailure)
	/** Each of this many test cases fails on the start commit. `said`: their cause, or the first of them in one line each. */
	| {
			readonly kind: "all_fail";
			/** The first check that has such cases. */
			readonly check: string;
			readonly cases: number;
			readonly said: readonly string[];
			/** Packages that its output calls not installed. */
			readonly packages: readonly string[];
	  }
	/** The runner of a check says that there are no tests yet. */
	| { readonly kind: "no_tests"; readonly check: string };

/** Most failures that are quoted, and the longest of them in characters. */
const MOST_QUOTED = 2;
const LONGEST_QUOTED = 200;

/** What the baseline says that a person would want to know; in the order of the checks. */
export function baselineProblems(evidence: readonly Evidence[]): GroundProblem[] {
	return [
		...evidence.flatMap((piece) => problemsOf(baselineStand(piece), piece)),
		...allFailing(evidence.filter(({ kind }) => kind === "acceptance")),
	];
}

function problemsOf(stand: BaselineStand, piece: Evidence): GroundProblem[] {
	const { check } = piece;
	switch (stand) {
		case "told":
			return [];
		case "no_tests":
			return [{ kind: "no_tests", check }];
		case "could_not_run":
			return [{ kind: "check", check, ...causeOf(piece) }];
		case "passed_without":
			return [{ kind: "unclear", check, ...causeOf(piece), why: "it passes all the same" }];
		case "silent":
			// Without a value the others may do.
			return piece.kind === "acceptance" ? [{ kind: "unclear", check, ...causeOf(piece) }] : [];
		default:
			return assertNever(stand);
	}
}

function allFailing(tests: readonly Evidence[]): GroundProblem[] {
	const cases = casesAllFailing(tests);
	const red = tests.find(({ counts }) => (counts?.failed ?? 0) > 0);
	if (cases === 0 || red === undefined) return [];
	const packages = missingPackages(red.outputTail);
	const details = tests.flatMap((piece) => piece.details);
	const said =
		packages.length > 0 || details.length === 0
			? tellingLines({ status: "error", outputTail: red.outputTail })
			: details
					.slice(0, MOST_QUOTED)
					.map((detail) => (detail.split("\n")[0] ?? "").slice(0, LONGEST_QUOTED));
	return [{ kind: "all_fail", check: red.check, cases, said, packages }];
}

/** Where a program says why, its exit code is enough: advice on reports would be of no use. */
function causeOf({ status, reason, exitCode, outputTail }: Evidence): RunFailure {
	const said = tellingLines({ status: "error", outputTail });
	const isTold = said.length > 0 && exitCode !== null && status !== "error";
	return { why: isTold ? `exit code ${exitCode}` : (reason ?? ""), said };
}
