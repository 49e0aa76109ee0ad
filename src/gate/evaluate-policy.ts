import type { ChecklistResult } from "../evidence/checklist.ts";
import { askGate, refusing } from "./ask-gate.ts";
import type { GateFacts, GateReason } from "./gate-facts.ts";
import {
	type ConfidenceNote,
	GATE_AREAS,
	type GateArea,
	type GateCheck,
	type GateReport,
	type MetricNote,
	type RiskTier,
} from "./gate-report.ts";

/** Facts of a turn, with what its report shows besides. */
export interface PolicyInput extends GateFacts {
	readonly runId: string;
	readonly taskId: string;
	readonly riskTier: RiskTier;
	readonly checklist: readonly ChecklistResult[];
	readonly confidence: ConfidenceNote | null;
	readonly evaluatedAt: string;
	readonly allowed: GateReport["allowed"];
	readonly suspicions: GateReport["suspicions"];
}

/** The most serious status first. A pass must not hide a waiver. */
const WEIGHT: readonly GateCheck["status"][] = ["FAIL", "ABSENT", "WAIVED", "PASS", "SKIPPED"];

const SHOWN: Readonly<Record<GateReason["status"], GateCheck["status"]>> = {
	PASS: "PASS",
	FAIL: "FAIL",
	ABSENT: "ABSENT",
	SKIPPED: "SKIPPED",
	WAIVED: "WAIVED",
	NONE: "ABSENT",
	ASK: "SKIPPED",
	NOT_ASKED: "SKIPPED",
};

function areaOf(reasons: readonly GateReason[], of: GateArea): GateCheck {
	const parts = reasons.filter(({ area }) => area === of);
	const lines = parts.flatMap(({ details }) => (details === "" ? [] : details.split("\n")));
	return {
		status: parts.reduce<GateCheck["status"]>(
			(most, { status }) =>
				WEIGHT.indexOf(SHOWN[status]) < WEIGHT.indexOf(most) ? SHOWN[status] : most,
			"SKIPPED",
		),
		details: [...new Set(lines)].join("\n"),
	};
}

const ENDINGS: Readonly<Record<Exclude<GateCheck["status"], "SKIPPED">, string>> = {
	PASS: "it passed",
	WAIVED: "it is waived",
	FAIL: "it failed",
	ABSENT: "it is absent",
};

function isRefused({ status }: GateCheck): boolean {
	return status === "FAIL" || status === "ABSENT";
}

function ruleOf(label: string, { status, details }: GateCheck): string[] {
	if (status === "SKIPPED") return [];
	const rule = `${label} is required, and ${ENDINGS[status]}`;
	return [status === "PASS" ? rule : `${rule}: ${details.replaceAll("\n", "; ")}`];
}

/**
 * The report of the gate on a turn: PASS or FAIL from policy and evidence (`GATE_RULES`), with the rule that decided.
 *
 * Missing evidence is `ABSENT`, not `FAIL`, but the verdict is still FAIL. Evidence that is waived with a written reason
 * is `WAIVED` and blocks nothing; acceptance cannot be waived. At T2 a person must also sign (`hil_required`); the
 * verdict covers the evidence only. Confidence decides nothing.
 *
 * @example T1 without a security check: `verification` is ABSENT, the verdict FAIL, and the rule
 * `"verification is required, and it is absent: lint: pass; no security check produced evidence; ..."`
 */
export function evaluatePolicy(input: PolicyInput): GateReport {
	// Who signs is shown this report first.
	const { reasons } = askGate({ ...input, signed: false });
	const others = refusing({ reasons }).filter(({ area }) => area === null);
	const checks: GateReport["evidence_checks"] = {
		acceptance_evidence: areaOf(reasons, "acceptance_evidence"),
		verification: areaOf(reasons, "verification"),
		operational_readiness: areaOf(reasons, "operational_readiness"),
		requirement_coverage: areaOf(reasons, "requirement_coverage"),
	};
	const judged = GATE_AREAS.map(({ area, label }) => ({ label, check: checks[area] }));
	const refused = judged.filter(({ check }) => isRefused(check));
	const deciding = refused.length > 0 ? refused : judged;
	return {
		run_id: input.runId,
		task_id: input.taskId,
		risk_tier: input.riskTier,
		verdict: refused.length + others.length > 0 ? "FAIL" : "PASS",
		rule: [
			...deciding.flatMap(({ label, check }) => ruleOf(label, check)),
			...others.map(({ rule, details }) => `${rule}: ${details.replaceAll("\n", "; ")}`),
		].join("; "),
		evidence_checks: checks,
		confidence_score: input.confidence?.score ?? null,
		confidence_advisory: input.confidence?.advisory ?? null,
		metrics: metricNotes(input.confidence),
		warnings: input.confidence?.warnings ?? [],
		checklist: input.checklist,
		hil_required: reasons.some(({ rule, status }) => rule === "signature" && status === "ASK"),
		evaluated_at: input.evaluatedAt,
		tree: input.tree,
		allowed: input.allowed,
		suspicions: input.suspicions,
	};
}

function metricNotes(confidence: ConfidenceNote | null): MetricNote[] {
	return (confidence?.metrics ?? []).map((metric) => ({
		type: metric.type,
		score: metric.score,
		weight: metric.weight,
		reason: metric.reason,
		evaluator_agent: metric.evaluator_agent ?? null,
		rationale: metric.rationale ?? null,
	}));
}
