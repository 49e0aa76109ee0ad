import type { Evidence } from "../evidence/evidence.ts";
import type { CheckDefinition, Waivers } from "../workflow/workflow.ts";
import type { RiskTier } from "./gate-report.ts";
import type { ConfidenceNote } from "./metric-note.ts";

/** What independent verification came to in this turn. */
export interface VerificationNote {
	/** Whether the task requires it. */
	readonly required: boolean;
	/** null before it is decided. */
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive" | null;
	/** Why; null when there is no more to say. */
	readonly reason: string | null;
}

/** The share of the criteria that are met and shown by a passed test. */
export interface RequirementNote {
	/** `require_coverage` of the task. */
	readonly required: boolean;
	/** From 0.0 to 1.0; the share must be this high. */
	readonly threshold: number;
	/** null without a value. */
	readonly score: number | null;
	/** What was counted, or why there is no value. */
	readonly reason: string;
}

/** What the gate is given. */
export interface PolicyInput {
	readonly runId: string;
	readonly taskId: string;
	readonly riskTier: RiskTier;
	/** Tree id that is judged: evidence of another tree says nothing of it. */
	readonly tree: string;
	/** Of each check its last evidence in this turn; evidence of the baseline is left out of account. */
	readonly evidence: readonly Evidence[];
	/** The checks of the workflow: one that left no evidence is absent. */
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
	readonly waive: Waivers;
	readonly verification: VerificationNote;
	readonly requirements: RequirementNote;
	/** null where nothing is scored. */
	readonly confidence: ConfidenceNote | null;
	/** ISO 8601 UTC. */
	readonly evaluatedAt: string;
}
