import type { EvalMetric } from "../confidence/metric.ts";
import type { Score } from "../confidence/score-of.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { AnsweredPlace } from "../kernel/suspected-place.ts";

export interface GateCheck {
	readonly status: "PASS" | "FAIL" | "ABSENT" | "SKIPPED" | "WAIVED";
	readonly details: string;
}

export type RiskTier = "T0" | "T1" | "T2";

export interface MetricNote {
	readonly type: string;
	readonly score: number | null;
	readonly weight: number;
	readonly reason: string;
	readonly evaluator_agent: string | null;
	readonly rationale: string | null;
}

/** The gate's report. The file on disk is this object as JSON. */
export interface GateReport {
	readonly run_id: string;
	readonly task_id: string;
	readonly risk_tier: RiskTier;
	readonly verdict: "PASS" | "FAIL";
	/** The rule that decided, such as `acceptance evidence is required, and it passed`. */
	readonly rule: string;
	readonly evidence_checks: {
		readonly acceptance_evidence: GateCheck;
		readonly verification: GateCheck;
		readonly operational_readiness: GateCheck;
		readonly requirement_coverage: GateCheck;
	};
	readonly confidence_score: number | null;
	readonly confidence_advisory: string | null;
	/** Empty when nothing was scored. */
	readonly metrics: readonly MetricNote[];
	/** Causes of a lower score, such as an evaluator that failed; one sentence each. Decide nothing. */
	readonly warnings: readonly string[];
	/** The items of the task's checklist with their results. Decides nothing. Empty without a checklist. */
	readonly checklist: readonly ChecklistResult[];
	readonly hil_required: boolean;
	/** ISO 8601 UTC. */
	readonly evaluated_at: string;
	/** The tree that was judged. */
	readonly tree: string;
	/** Changes to tests and to what defines the checks that the task asks for. */
	readonly allowed: readonly {
		readonly path: string;
		readonly change: string;
		readonly reason: string;
	}[];
	/** Suspicions of the tamper wall, with what was said of them. */
	readonly suspicions: readonly AnsweredPlace[];
}

/** A turn's score. The report shows it; it decides nothing. */
export interface ConfidenceNote extends Omit<Score, "advisory"> {
	/** `confidence threshold met`, or null. */
	readonly advisory: string | null;
	readonly metrics: readonly (Omit<EvalMetric, "type"> & { readonly type: string })[];
}

export type GateArea = keyof GateReport["evidence_checks"];

/** The four areas of a report, in its order, with the names that people read. */
export const GATE_AREAS: readonly {
	readonly area: GateArea;
	readonly label: string;
}[] = [
	{ area: "acceptance_evidence", label: "acceptance evidence" },
	{ area: "verification", label: "verification" },
	{ area: "operational_readiness", label: "operational readiness" },
	{ area: "requirement_coverage", label: "requirement coverage" },
];

export interface ReworkReason {
	readonly area: GateArea;
	/** One sentence. It names outcomes; it never suggests text or files to add. */
	readonly why: string;
}

/** Reasons for a player whose gate says FAIL: one for each area that failed or has no evidence. */
export function reworkReasons({
	evidence_checks: checks,
}: Pick<GateReport, "evidence_checks">): ReworkReason[] {
	return GATE_AREAS.flatMap(({ area, label }) => {
		const { status } = checks[area];
		const details = checks[area].details.replaceAll("\n", "; ");
		if (status === "FAIL") return [{ area, why: `${label} failed: ${details}` }];
		return status === "ABSENT" ? [{ area, why: `${label} is missing: ${details}` }] : [];
	});
}
