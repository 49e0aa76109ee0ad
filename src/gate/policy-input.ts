import type { EvalMetric } from "../confidence/metric.ts";
import type { Score } from "../confidence/score-of.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { CheckDefinition, Waivers } from "../workflow/workflow.ts";
import type { GateReport, RiskTier } from "./gate-report.ts";

export interface VerificationNote {
	readonly required: boolean;
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive" | null;
	readonly reason: string | null;
}

export interface RequirementNote {
	readonly required: boolean;
	readonly threshold: number;
	readonly score: number | null;
	readonly reason: string;
}

/** A turn's score. The report shows it; it decides nothing. */
export interface ConfidenceNote extends Omit<Score, "advisory"> {
	/** `confidence threshold met`, or null. */
	readonly advisory: string | null;
	readonly metrics: readonly (Omit<EvalMetric, "type"> & { readonly type: string })[];
}

export interface PolicyInput {
	readonly runId: string;
	readonly taskId: string;
	readonly riskTier: RiskTier;
	/** The tree to judge; evidence for another tree does not count. */
	readonly tree: string;
	readonly evidence: readonly Evidence[];
	/** Evidence on the start commit, by check: tells what of the evidence is not counted. */
	readonly baseline?: ReadonlyMap<string, Evidence> | undefined;
	/** The checks of the workflow. A check without evidence is `ABSENT`. */
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
	readonly waive: Waivers;
	readonly verification: VerificationNote;
	readonly requirements: RequirementNote;
	readonly checklist: readonly ChecklistResult[];
	readonly confidence: ConfidenceNote | null;
	readonly evaluatedAt: string;
	readonly allowed: GateReport["allowed"];
	readonly suspicions: GateReport["suspicions"];
}
