import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence, TestCounts } from "../evidence/evidence.ts";
import type { ResultFigures } from "../evidence/report-figures.ts";
import type { CoverageLines } from "../formats/coverage/coverage-report.ts";
import type { ParsedMutationReport } from "../formats/mutation/mutation-report.ts";
import type { ParsedReport } from "../formats/reports/parsed-report.ts";
import type { PlacedResult } from "../formats/sarif/place-results.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { ProcessResult } from "../process/process.ts";

export interface ListedProblems {
	readonly results: readonly PlacedResult[];
	/** Those in files outside of the checkout. */
	readonly ignored: number;
}

// `none`: no report is configured and no runner was recognised; `missing`: it does not exist or is older than the
// check's start; `blocked`: its path cannot be used.
export type ReportOutcome =
	| ParsedReport
	| CoverageLines
	| Extract<ParsedMutationReport, { readonly kind: "mutants" }>
	| ({ readonly kind: "results" } & ListedProblems)
	| {
			readonly kind: "none";
			/** The line of the output that looks most like a summary, for an acceptance check. */
			readonly line?: string | undefined;
			/** The line that says that no test ran, for an acceptance check judged by its exit code. */
			readonly noTests?: string | undefined;
	  }
	| { readonly kind: "missing"; readonly reason: string }
	| { readonly kind: "blocked"; readonly reason: string };

export type BaselineView = Pick<
	Evidence,
	"status" | "exitCode" | "counts" | "cases" | "results" | "ms"
>;

export interface JudgeInput {
	readonly check: Pick<RunDefinition, "kind" | "report" | "baseline" | "timeoutMs">;
	readonly process: Pick<
		ProcessResult,
		"exitCode" | "signal" | "timedOut" | "started" | "startError"
	>;
	readonly report: ReportOutcome;
	/** Undefined when there is none, or when the baseline itself is judged. */
	readonly baseline: BaselineView | undefined;
}

export interface Judgement {
	readonly status: EvidenceStatus;
	readonly reason: string | null;
	readonly counts: TestCounts | null;
	/** New failures or problems with their messages, then known ones. Not masked and not truncated. */
	readonly details: readonly string[];
	/** False when the command could not be started, or was killed from outside. */
	readonly started: boolean;
	readonly results?: ResultFigures;
}

export function noValue(
	status: "absent" | "error",
	reason: string,
	started: boolean = true,
): Judgement {
	return { status, reason, counts: null, details: [], started };
}
