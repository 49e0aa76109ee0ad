import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { CheckKind } from "../workflow/workflow.ts";
import type { ReportFigures } from "./report-figures.ts";

/** Counts of test cases. `knownFailing` failed at the baseline too and are not in `failed`. */
export interface TestCounts {
	readonly total: number;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly knownFailing: number;
}

/** One test case of a report. `id` is stable over runs: file or class, and name. */
export interface TestCase {
	readonly id: string;
	readonly status: "passed" | "failed" | "skipped";
	/** Message of a failure, at most 2,000 characters. */
	readonly message?: string;
}

/** Where a piece of evidence was taken, which decides what it may be used for. */
export type EvidencePurpose = "baseline" | "turn" | "assembled";

/**
 * A record of something that the orchestrator itself ran or computed on one tree.
 *
 * `kind: "integrity"` is our own comparison with the base commit: it is always required. Its figures are there where
 * its check writes a report that has some.
 */
export interface Evidence extends ReportFigures {
	readonly check: string;
	readonly kind: CheckKind | "integrity";
	readonly status: EvidenceStatus;
	/** Why the status is what it is: always given for `absent`, `error` and `fail`. */
	readonly reason: string | null;
	readonly purpose: EvidencePurpose;
	/** Tree id that the evidence is bound to. */
	readonly tree: string;
	/** Hash of the check's definition: evidence of one definition says nothing of another. */
	readonly definition: string;
	readonly exitCode: number | null;
	readonly counts: TestCounts | null;
	/** Names of failing cases with their messages, problems, uncovered lines, or violations: what the player must see verbatim. */
	readonly details: readonly string[];
	/** Every case by id, when the report names cases; kept as a file beside the row. */
	readonly cases: readonly TestCase[] | null;
	/** Capped, masked output; relative to the state directory. */
	readonly outputPath: string | null;
	/** The last lines of the output, at most 4,000 characters, masked. */
	readonly outputTail: string;
	readonly startedAt: string;
	readonly ms: number;
	/**
	 * Tracked files that differed from the commit after the run. A baseline may have some; any others later mean that
	 * the run did not test what the commit holds.
	 */
	readonly touched: readonly string[];
	/** False when the command could not be started at all. */
	readonly started: boolean;
}
