import {
	type BaselineStand,
	baselineStand,
	casesAllFailing,
	missingPackages,
} from "../checks/baseline-stand.ts";
import { notCounted } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { assertNever } from "../kernel/assert-never.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { isByExitCode, tellingLines } from "./telling-lines.ts";

export interface RunFailure {
	readonly why: string;
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
	/** Cases fail or are skipped in the checkouts alone, and pass where the user works. */
	| {
			readonly kind: "lacking";
			readonly check: string;
			/** Empty where the check names none. */
			readonly cases: readonly string[];
			/** The first words in a checkout. */
			readonly said: readonly string[];
			/** Variables of the user's that checks do not get, by name. */
			readonly variables: readonly string[];
			/** What git ignores there; a folder with a slash at its end. */
			readonly paths: readonly string[];
			/** Way to give these paths to the checkouts. */
			readonly by: "copy" | "setup" | "build";
			/** Paths of the user's home, such as `~/.cache/browser`. */
			readonly home: readonly string[];
			readonly machine?: string;
	  }
	/** A check whose red cases could not be run where the user works. */
	| {
			readonly kind: "untried";
			readonly check: string;
			readonly why: string;
			/** Of several, the one where it was tried. */
			readonly machine?: string;
	  }
	/** A check judged by its exit code fails before any work, and so would each turn. */
	| ({ readonly kind: "red"; readonly check: string; readonly isTests: boolean } & RunFailure)
	/** Cases of a check that fail or are skipped before any work, and so are not counted. */
	| { readonly kind: "uncounted"; readonly check: string; readonly what: string }
	/** The runner of a check says that there are no tests yet. */
	| { readonly kind: "no_tests"; readonly check: string };

const MOST_QUOTED = 2;
const LONGEST_QUOTED = 200;

export function baselineProblems(
	evidence: readonly Evidence[],
	workflow: Pick<Workflow, "checks" | "tasks" | "waive">,
): GroundProblem[] {
	const red = evidence.filter((piece) => isRed(piece, workflow));
	return [
		...evidence.flatMap((piece) => problemsOf(baselineStand(piece), piece)),
		...allFailing(evidence.filter(({ kind }) => kind === "acceptance")),
		...red.map((piece): GroundProblem => {
			const { check, kind, counts, reason } = piece;
			const isTests = kind === "acceptance" && counts?.failed !== 0;
			const said = isByExitCode(piece) ? tellingLines(piece) : causeOf(piece).said;
			return { kind: "red", check, isTests, why: reason ?? "", said };
		}),
		...evidence.flatMap((piece): GroundProblem[] => {
			const what = piece.kind === "acceptance" ? notCounted(piece) : "";
			return what === "" ? [] : [{ kind: "uncounted", check: piece.check, what }];
		}),
	];
}

function isRed(
	piece: Evidence,
	{ checks, tasks, waive }: Pick<Workflow, "checks" | "tasks" | "waive">,
): boolean {
	const { check, kind, counts, cases, status } = piece;
	const isNameless = status === "fail" && cases === null && (counts?.passed ?? 0) > 0;
	if (!(isByExitCode(piece) || isNameless) || baselineStand(piece) !== "told") return false;
	if (checks.find(({ name }) => name === check)?.baseline === "tolerate") return false;
	if (kind === "acceptance") return true;
	if (kind !== "lint" && kind !== "security" && kind !== "readiness") return false;
	const isWaived = (waive?.[kind]?.trim() ?? "") !== "";
	return (
		!isWaived &&
		tasks.some(
			({ gate, gatePolicy }) =>
				gate && gatePolicy?.riskTier !== undefined && gatePolicy.riskTier !== "T0",
		)
	);
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

/** Cause of a red run. Where a program says why, its exit code is enough: advice on reports would be of no use. */
function causeOf({ status, reason, exitCode, outputTail }: Evidence): RunFailure {
	const said = tellingLines({ status: "error", outputTail });
	const isTold = said.length > 0 && exitCode !== null && status !== "error";
	return { why: isTold ? `exit code ${exitCode}` : (reason ?? ""), said };
}
