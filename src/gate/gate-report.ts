import type { MetricNote } from "./metric-note.ts";

/** What the gate says of one kind of evidence. */
export interface GateCheck {
	readonly status: "PASS" | "FAIL" | "ABSENT" | "SKIPPED" | "WAIVED";
	readonly details: string;
}

export type RiskTier = "T0" | "T1" | "T2";

/** The gate's report: the file is exactly this as JSON. */
export interface GateReport {
	readonly run_id: string;
	readonly task_id: string;
	readonly risk_tier: RiskTier;
	readonly verdict: "PASS" | "FAIL";
	/** The rule that decided, such as `T0: acceptance evidence is required`. */
	readonly rule: string;
	readonly evidence_checks: {
		readonly acceptance_evidence: GateCheck;
		readonly verification: GateCheck;
		readonly operational_readiness: GateCheck;
		readonly requirement_coverage: GateCheck;
	};
	readonly confidence_score: number | null;
	readonly confidence_advisory: string | null;
	/** What the score was made of; empty where nothing was scored. */
	readonly metrics: readonly MetricNote[];
	readonly hil_required: boolean;
	/** ISO 8601 UTC. */
	readonly evaluated_at: string;
	/** Tree id that the evidence is bound to. */
	readonly tree: string;
}
