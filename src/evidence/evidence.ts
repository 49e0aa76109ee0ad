import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { CheckKind } from "../workflow/workflow.ts";
import type { ReportFigures } from "./report-figures.ts";

/** Counts of test cases. Cases in `knownFailing` also failed at the baseline and are not in `failed`. */
export interface TestCounts {
	readonly total: number;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly knownFailing: number;
}

/** A test case of a report. `id` is the same in every run: file or class, and name. */
export interface TestCase {
	readonly id: string;
	readonly status: "passed" | "failed" | "skipped";
	/** The failure's message, at most 2,000 characters. */
	readonly message?: string;
	/** Of a base that is red where it was green when its evidence was kept. */
	readonly byNow?: true;
}

/** Subject of a piece of evidence: the start commit, a turn, or the tree that a merge would produce. */
export type EvidencePurpose = "baseline" | "turn" | "assembled";

/**
 * A record of something that Sparring itself ran or computed on one tree.
 *
 * `kind: "integrity"` is Sparring's comparison with the base commit, which is always required. `kind: "replay"` is an
 * acceptance check that ran the base's own tests on the player's product; `check` is then `replayOf` the check's name.
 * `kind: "checklist"` is an item of the task's checklist, which no gate asks for. It has figures if its check writes a
 * report that has some. `kind: "mutation"` is what became of the mutants of the changed lines that Sparring had run,
 * which no gate asks for either. `kind: "power"` is what mutants showed of changed tests beside those of the base; its
 * proof is part of the integrity.
 */
export interface Evidence extends ReportFigures {
	readonly check: string;
	/** Of an item of a checklist its text, masked. */
	readonly item?: string;
	readonly kind: CheckKind | "checklist" | "integrity" | "replay" | "power" | "mutation";
	readonly status: EvidenceStatus;
	/** The reason for the status. Never null for `absent`, `error` and `fail`. */
	readonly reason: string | null;
	readonly purpose: EvidencePurpose;
	/** Id of the tree that the evidence is for. */
	readonly tree: string;
	/** `definitionHash` of the check. Evidence counts only for the same definition. */
	readonly definition: string;
	readonly exitCode: number | null;
	readonly counts: TestCounts | null;
	/** Lines that the player sees verbatim: failing cases with messages, problems, uncovered lines, or violations. */
	readonly details: readonly string[];
	/** All cases, when the report names them. Stored as a file beside the row. */
	readonly cases: readonly TestCase[] | null;
	/** File with the masked, truncated output, relative to the state directory. */
	readonly outputPath: string | null;
	/** The last lines of the output, at most 4,000 characters, masked. */
	readonly outputTail: string;
	readonly startedAt: string;
	readonly ms: number;
	/**
	 * Tracked files that differed from the commit after the run. Files that were not also touched at the baseline mean
	 * that the run did not test the commit.
	 */
	readonly touched: readonly string[];
	/** False when the command could not be started at all, or was killed from outside: then nobody's work is to blame. */
	readonly started: boolean;
}

/** A check as it is defined. The definition does not name it: a replay may have that of its check. */
export type DefinedCheck = Pick<Evidence, "check" | "definition">;

/** A check whose evidence is looked for; without a definition in whatever surroundings it ran. */
export type CheckQuery = Pick<Evidence, "check"> & Partial<DefinedCheck>;
