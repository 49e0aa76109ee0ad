import { notCounted } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { checkWords } from "../kernel/replayed.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import type { Waivable } from "../workflow/workflow.ts";
import {
	type ConfidenceNote,
	GATE_AREAS,
	type GateCheck,
	type GateReport,
	type MetricNote,
	type PolicyInput,
} from "./gate-report.ts";

/** The most serious status first. A pass must not hide a waiver. */
const WEIGHT: readonly GateCheck["status"][] = ["FAIL", "ABSENT", "WAIVED", "PASS", "SKIPPED"];

function combine(parts: readonly GateCheck[]): GateCheck {
	const status = parts.reduce<GateCheck["status"]>(
		(most, part) => (WEIGHT.indexOf(part.status) < WEIGHT.indexOf(most) ? part.status : most),
		"SKIPPED",
	);
	return { status, details: parts.map(({ details }) => details).join("\n") };
}

function describe(piece: Evidence, baseline: PolicyInput["baseline"]): string {
	const { check, kind, status, reason } = piece;
	const left = kind === "acceptance" ? notCounted(piece, baseline?.get(check)) : "";
	const parts = [reason ?? "", left === "" ? "" : `not counted: ${left}`];
	const why = parts.filter((text) => text !== "").join("; ");
	return why === ""
		? `${checkWords(check)}: ${status}`
		: `${checkWords(check)}: ${status} (${why})`;
}

function ofKinds(
	{ evidence }: PolicyInput,
	kinds: readonly Evidence["kind"][],
): readonly Evidence[] {
	return evidence.filter(({ kind, purpose }) => purpose !== "baseline" && kinds.includes(kind));
}

/**
 * PASS means: there is evidence of each kind, every configured check of these kinds produced some, and all of it
 * passed on this tree. Kinds in `besides` may lack evidence; what there is has to pass.
 */
function requiredKinds(
	input: PolicyInput,
	kinds: readonly Evidence["kind"][],
	besides: readonly Evidence["kind"][] = [],
): GateCheck {
	const evidence = ofKinds(input, [...kinds, ...besides]);
	const ofTree = evidence.filter((item) => item.tree === input.tree);
	const stale = evidence.filter((item) => item.tree !== input.tree);
	const silent = input.checks.filter(
		({ name, kind }) => kinds.includes(kind) && !evidence.some(({ check }) => check === name),
	);
	const lacking = kinds.filter(
		(kind) => ![...evidence, ...silent].some((item) => item.kind === kind),
	);
	const details = [
		...ofTree.map((piece) => describe(piece, input.baseline)),
		...stale.map(({ check }) => `${check}: absent (its evidence is for another tree)`),
		...silent.map(({ name }) => `${name}: absent (it produced no evidence)`),
		...lacking.map((kind) => `no ${kind} check produced evidence`),
	].join("\n");
	if (ofTree.some(({ status }) => status === "fail")) return { status: "FAIL", details };
	const short = ofTree.some(isShort);
	const absent = short || stale.length + silent.length + lacking.length > 0;
	return { status: absent ? "ABSENT" : "PASS", details };
}

function shownKinds(
	input: PolicyInput,
	kinds: readonly Evidence["kind"][],
	note: string,
): GateCheck {
	const shown = ofKinds(input, kinds).map((piece) => describe(piece, input.baseline));
	return { status: "SKIPPED", details: [note, ...shown].join("\n") };
}

function waiver(
	{ waive }: Pick<PolicyInput, "waive">,
	kind: Waivable,
	label: string,
): GateCheck | null {
	const reason = waive[kind]?.trim() ?? "";
	return reason === "" ? null : { status: "WAIVED", details: `${label}: waived (${reason})` };
}

/** Judges a kind that can be waived. A waiver still shows the evidence. */
function waivableKind(input: PolicyInput, kind: "lint" | "security" | "readiness"): GateCheck {
	const waived = waiver(input, kind, kind);
	if (waived === null) return requiredKinds(input, [kind]);
	return { status: "WAIVED", details: shownKinds(input, [kind], waived.details).details };
}

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
