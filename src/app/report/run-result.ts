import type { Evidence, TestCounts } from "../../evidence/evidence.ts";
import type { MutantsJson } from "../../evidence/mutation/mutation-text.ts";
import type { GateReport } from "../../gate/gate-report.ts";
import type { RunStatus, TaskStatus } from "../../kernel/task-state.ts";
import type { VerificationReport } from "../../loop/turn-verification.ts";
import type { FindingReport } from "../../review/finding-report.ts";

/** What became of a run, for reviewers and programs: `spar report --json` prints it. All texts are masked. */
export interface RunResult {
	/** Where the run stands, as `spar status --json` says it: at least this. */
	readonly run: RunStand;
	/** Path of the workflow file relative to the repository; null when it lies elsewhere. */
	readonly workflow_file: string | null;
	/** ISO 8601 UTC. */
	readonly created_at: string;
	/** null while the run can still go on. */
	readonly ended_at: string | null;
	/** In dependency order. */
	readonly tasks: readonly TaskResult[];
}

export interface RunStand {
	readonly run_id: string;
	readonly workflow: string;
	readonly status: RunStatus;
	readonly base: string;
	readonly branch: string;
	/** The process that works on it, as `host:pid`. */
	readonly holder: string | null;
	/** Where machines share a store. */
	readonly shared?: boolean;
	readonly landed: boolean;
	readonly usage: {
		readonly calls: number;
		readonly cost_usd: number | null;
		readonly unknown_cost_calls: number;
	};
}

export interface TaskStand {
	readonly status: TaskStatus;
	readonly turns: number;
	readonly failure_reason: string | null;
	readonly flags: readonly string[];
	readonly merged: boolean;
	readonly merged_commit: string | null;
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
	readonly open_findings: number;
	readonly human_item: string | null;
	/** True while its question has an answer that no process has acted on. */
	readonly human_item_answered: boolean;
	readonly verification_result: VerificationReport | null;
	readonly mutation: Pick<MutantsJson, "detected" | "undetected" | "survivors"> | null;
	readonly not_counted: readonly string[];
	readonly concerns: readonly string[];
	readonly false_claims: readonly string[];
}

/** What became of one task. */
export interface TaskResult {
	readonly id: string;
	/** The first line of its description that says something. */
	readonly title: string;
	/** What follows that line. */
	readonly description: string;
	/** Where the task stands, likewise. */
	readonly report: TaskStand;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	/** Names of the agents that sat there first; `coach` is null without one. */
	readonly player: string | null;
	readonly coach: string | null;
	/** Those of the task and of its subtasks. */
	readonly criteria: readonly CriterionResult[];
	/** Of the newest turn that has any: for each check what it said of the merged tree, else of the turn's. */
	readonly evidence: readonly EvidenceResult[];
	readonly findings: readonly FindingReport[];
	/** Of the newest turn that has one. */
	readonly gate: GateReport | null;
	/** The decision of a formal review; null for any other task, and before it decided. */
	readonly review: { readonly decision: "approve" | "feedback"; readonly rationale: string } | null;
	/** What people answered, the oldest first. */
	readonly decisions: readonly PersonDecision[];
}

/** What was last said of a criterion by the agent that judges: its word, not evidence. */
export interface CriterionResult {
	readonly criterion: string;
	/** `overruled`: called unmet, and that finding was decided against the judge. `unjudged`: nobody said. */
	readonly status: "met" | "unmet" | "overruled" | "unjudged";
	readonly evidence: string | null;
	/** Names of test cases that are said to show it. */
	readonly tests: readonly string[];
}

/** What one check said. */
export interface EvidenceResult
	extends Pick<
		Evidence,
		"check" | "kind" | "purpose" | "status" | "reason" | "tree" | "ms" | "details"
	> {
	/** Text of an item of a checklist; null otherwise. */
	readonly label: string | null;
	readonly counts: (Omit<TestCounts, "knownFailing"> & { readonly known_failing: number }) | null;
}

/** What a person decided. */
export interface PersonDecision {
	readonly trigger: string;
	/** `continue`, `unverified`, `take_developer`, `take_reviewer`, `directive` or `reject`. */
	readonly choice: string;
	/** The finding that the answer is about; null for an answer to the whole question. */
	readonly finding: string | null;
	/** Directive, reason or notes; null where nothing was said. */
	readonly words: string | null;
	readonly answered_at: string;
}
