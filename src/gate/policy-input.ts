import type { EvalMetric } from "../confidence/metric.ts";
import type { Score } from "../confidence/score-of.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { CheckDefinition, Waivers } from "../workflow/workflow.ts";
import type { GateReport, RiskTier } from "./gate-report.ts";

export interface VerificationNote {
	readonly required: boolean;
	/** Null before the decision. */
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive" | null;
	/** Null when the verdict needs no explanation. */
	readonly reason: string | null;
}

export interface RequirementNote {
	readonly required: boolean;
	readonly threshold: number;
	/** Null when it cannot be computed. */
	readonly score: number | null;
	/** What was counted, or why there is no value. */
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
	/** What the checks said of the start commit, by name: what of the evidence is not counted. Left out: not known. */
	readonly baseline?: ReadonlyMap<string, Evidence> | undefined;
	/** The checks of the workflow. A check without evidence is `ABSENT`. */
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
	readonly waive: Waivers;
	readonly verification: VerificationNote;
	readonly requirements: RequirementNote;
	/** The items of the task's checklist, which decide nothing. */
	readonly checklist: readonly ChecklistResult[];
	/** Null when nothing was scored. */
	readonly confidence: ConfidenceNote | null;
	readonly evaluatedAt: string;
	/** What the tamper wall let pass because the task asks for it. It decides nothing. */
	readonly allowed: GateReport["allowed"];
	readonly suspicions: GateReport["suspicions"];
}
