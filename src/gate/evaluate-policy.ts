import { combine, requiredKinds, shownKinds, waivableKind, waiver } from "./gate-part.ts";
import { GATE_AREAS, type GateCheck, type GateReport, type MetricNote } from "./gate-report.ts";
import type { ConfidenceNote, PolicyInput } from "./policy-input.ts";

function notRequired({ riskTier }: PolicyInput): string {
	return `not required at ${riskTier}`;
}

/**
 * Lint and security, required from T1, and independent verification, which blocks at every tier where the task requires it.
 * Where nobody is there to write tests, T0 goes on without.
 */
function verification(input: PolicyInput): GateCheck {
	if (input.riskTier !== "T0") {
		const kinds = [waivableKind(input, "lint"), waivableKind(input, "security")];
		return combine([...kinds, independent(input)]);
	}
	const { required, verdict } = input.verification;
	const shown = shownKinds(input, ["lint", "security"], notRequired(input));
	if (!required && verdict === null) return shown;
	const own = independent(input);
	return combine([
		shown,
		own.status === "ABSENT" && verdict === "skipped" ? { ...own, status: "SKIPPED" } : own,
	]);
}

function independent(input: PolicyInput): GateCheck {
	const { required, verdict, reason } = input.verification;
	const label = "independent verification";
	const why = reason === null ? "" : ` (${reason})`;
	if (!required) return { status: "SKIPPED", details: `${label}: not required${why}` };
	const waived = waiver(input, "verification", label);
	if (waived !== null) return waived;
	const details = `${label}: ${verdict ?? "not done"}${why}`;
	if (verdict === "passed") return { status: "PASS", details };
	return { status: verdict === "failed" ? "FAIL" : "ABSENT", details };
}

function readiness(input: PolicyInput): GateCheck {
	const configured = [...input.checks, ...input.evidence].some(({ kind }) => kind === "readiness");
	const required = input.riskTier === "T2" || (input.riskTier === "T1" && configured);
	if (required) return waivableKind(input, "readiness");
	const note = input.riskTier === "T1" ? "not configured, and optional at T1" : notRequired(input);
	return shownKinds(input, ["readiness"], note);
}

function requirements(input: PolicyInput): GateCheck {
	const { required, threshold, score, reason } = input.requirements;
	if (!required) return { status: "SKIPPED", details: "not required: require_coverage is off" };
	const waived = waiver(input, "requirement_coverage", "requirement coverage");
	if (waived !== null) return waived;
	const hasScore = score !== null && score >= 0 && score <= 1;
	if (!hasScore) return { status: "ABSENT", details: reason };
	if (score >= threshold) return { status: "PASS", details: reason };
	const share = `${score.toFixed(2)} of ${threshold.toFixed(2)}`;
	return {
		status: "FAIL",
		details: `requirement coverage below threshold (${share}): ${reason}`,
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
 * Decides PASS or FAIL from policy and evidence, and names the rule that decided.
 *
 * | evidence | T0 | T1 | T2 |
 * | --- | --- | --- | --- |
 * | acceptance, the comparison with the base (`integrity`), and the replay once it ran | required | required | required |
 * | lint, security | shown | required | required |
 * | independent verification, if the task requires it | required, if there is a verifier | required | required |
 * | readiness | shown | if a check is configured | required |
 * | requirement coverage | if `require_coverage` | same | same |
 *
 * Missing evidence is `ABSENT`, not `FAIL`, but the verdict is still FAIL. Evidence that is waived with a written reason
 * is `WAIVED` and blocks nothing; acceptance cannot be waived. At T2 a person must also sign (`hil_required`); the
 * verdict covers the evidence only. Confidence decides nothing.
 *
 * @example T1 without a security check: `verification` is ABSENT, the verdict FAIL, and the rule
 * `"verification is required, and it is absent: lint: pass; no security check produced evidence; ..."`
 */
export function evaluatePolicy(input: PolicyInput): GateReport {
	const checks: GateReport["evidence_checks"] = {
		acceptance_evidence: requiredKinds(input, ["acceptance", "integrity"], ["replay"]),
		verification: verification(input),
		operational_readiness: readiness(input),
		requirement_coverage: requirements(input),
	};
	const judged = GATE_AREAS.map(({ area, label }) => ({ label, check: checks[area] }));
	const refused = judged.filter(({ check }) => isRefused(check));
	const deciding = refused.length > 0 ? refused : judged;
	return {
		run_id: input.runId,
		task_id: input.taskId,
		risk_tier: input.riskTier,
		verdict: refused.length > 0 ? "FAIL" : "PASS",
		rule: deciding.flatMap(({ label, check }) => ruleOf(label, check)).join("; "),
		evidence_checks: checks,
		confidence_score: input.confidence?.score ?? null,
		confidence_advisory: input.confidence?.advisory ?? null,
		metrics: metricNotes(input.confidence),
		warnings: input.confidence?.warnings ?? [],
		checklist: input.checklist,
		hil_required: input.riskTier === "T2",
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
