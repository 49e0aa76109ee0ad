import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { ProcessResult } from "../process/process.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { CoverageLines } from "./coverage/coverage-report.ts";
import type { Evidence, TestCounts } from "./evidence.ts";
import type { ListedProblems } from "./judge-problems.ts";
import type { MutationReport } from "./mutation/mutation-report.ts";
import type { ResultFigures } from "./report-figures.ts";
import type { ParsedReport } from "./reports/parsed-report.ts";

/**
 * What was found where results should stand. `none`: nothing is configured and no known runner
 * spoke; `missing`: a configured report is not there or is older than the check's start;
 * `blocked`: its place cannot be used.
 */
export type ReportOutcome =
	| ParsedReport
	| CoverageLines
	| Extract<MutationReport, { readonly kind: "mutants" }>
	| ({ readonly kind: "results" } & ListedProblems)
	| { readonly kind: "none" }
	| { readonly kind: "missing"; readonly reason: string }
	| { readonly kind: "blocked"; readonly reason: string };

/** What the rules read of the evidence of the start commit. */
export type BaselineView = Pick<Evidence, "status" | "exitCode" | "counts" | "cases" | "results">;

export interface JudgeInput {
	readonly check: Pick<CheckDefinition, "kind" | "report" | "baseline" | "timeoutMs">;
	readonly process: Pick<
		ProcessResult,
		"exitCode" | "signal" | "timedOut" | "started" | "startError"
	>;
	readonly report: ReportOutcome;
	/** Undefined when the baseline itself is judged, or there is none. */
	readonly baseline: BaselineView | undefined;
}

export interface Judgement {
	readonly status: EvidenceStatus;
	/** Null only for `pass`. */
	readonly reason: string | null;
	readonly counts: TestCounts | null;
	/** Failing cases or new problems with their messages, then the known ones. Neither masked nor capped. */
	readonly details: readonly string[];
	/** False when the command, or the program that it names, could not be started. */
	readonly started: boolean;
	/** Of a report that lists problems. */
	readonly results?: ResultFigures;
}

/** A judgement without a value and without counts. */
export function noValue(
	status: "absent" | "error",
	reason: string,
	started: boolean = true,
): Judgement {
	return { status, reason, counts: null, details: [], started };
}
