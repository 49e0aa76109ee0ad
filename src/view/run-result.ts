import type { GateReport } from "../gate/gate-report.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { EvidenceReport, RunReport, TaskReport } from "./report.ts";

/** Run's outcome for reviewers and programs: `spar report --json` prints it. All texts are masked. */
export interface RunResult {
	/** As `spar status --json` says it. */
	readonly run: RunReport;
	/** Path of the workflow file relative to the repository; null when it lies elsewhere. */
	readonly workflow_file: string | null;
	/** ISO 8601 UTC. */
	readonly created_at: string;
	/** null while the run can still go on. */
	readonly ended_at: string | null;
	/** In dependency order. */
	readonly tasks: readonly TaskAccount[];
}

export interface TaskAccount {
	readonly id: string;
	readonly title: string;
	readonly description: string;
	readonly report: TaskReport;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	/** Names of the agents that sat there first; `coach` is null without one. */
	readonly player: string | null;
	readonly coach: string | null;
	readonly criteria: readonly CriterionResult[];
	/** Of the newest turn that has any: for each check what it said of the merged tree, else of the turn's. */
	readonly evidence: readonly EvidenceResult[];
	readonly findings: readonly FindingReport[];
	readonly gate: GateReport | null;
	/** The decision of a formal review; null for any other task, and before it decided. */
	readonly review: { readonly decision: "approve" | "feedback"; readonly rationale: string } | null;
	readonly decisions: readonly PersonDecision[];
}

/** Last word on a criterion of the agent that judges: not evidence. */
export interface CriterionResult {
	readonly criterion: string;
	readonly status: "met" | "unmet" | "overruled" | "unjudged";
	readonly evidence: string | null;
	readonly tests: readonly string[];
}

export interface EvidenceResult extends EvidenceReport {
	readonly label: string | null;
}

export interface PersonDecision {
	readonly trigger: string;
	readonly choice: string;
	/** The finding that the answer is about; null for an answer to the whole question. */
	readonly finding: string | null;
	/** Directive, reason or notes; null where nothing was said. */
	readonly words: string | null;
	readonly answered_at: string;
}
