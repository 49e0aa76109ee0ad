import fc from "fast-check";
import { expect, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import { EVIDENCE_STATUSES } from "../kernel/evidence-value.ts";
import { evaluateGate } from "./policy.ts";

const evidence = (over: Partial<Evidence> = {}): Evidence => ({
	check: "tests",
	kind: "acceptance",
	status: "pass",
	reason: null,
	purpose: "turn",
	tree: "t1",
	definition: "d",
	exitCode: 0,
	counts: null,
	details: [],
	cases: null,
	outputPath: null,
	touched: [],
	outputTail: "",
	startedAt: "2026-11-21T00:00:00.000Z",
	ms: 1,
	started: true,
	...over,
});
const integrity = evidence({ check: "integrity", kind: "integrity" });
const gate = (...given: Evidence[]) =>
	evaluateGate({
		runId: "r1",
		taskId: "limiter",
		riskTier: "T0",
		tree: "t1",
		evidence: given,
		evaluatedAt: "2026-11-21T00:00:00.000Z",
	});

test("passed tests and an untouched base are a PASS, with the whole report", () => {
	expect(gate(evidence(), integrity)).toEqual({
		run_id: "r1",
		task_id: "limiter",
		risk_tier: "T0",
		verdict: "PASS",
		rule: "T0: acceptance evidence is required, and it passed",
		evidence_checks: {
			acceptance_evidence: { status: "PASS", details: "tests: pass; integrity: pass" },
			verification: { status: "SKIPPED", details: "not required at T0" },
			operational_readiness: { status: "SKIPPED", details: "not required at T0" },
			requirement_coverage: { status: "SKIPPED", details: "not required at T0" },
		},
		confidence_score: null,
		confidence_advisory: null,
		metrics: [],
		hil_required: false,
		evaluated_at: "2026-11-21T00:00:00.000Z",
		tree: "t1",
	});
});

test("no acceptance check is ABSENT, not FAIL, and the verdict is FAIL", () => {
	const report = gate(integrity);
	expect(report.evidence_checks.acceptance_evidence.status).toBe("ABSENT");
	expect(report.verdict).toBe("FAIL");
	expect(report.rule).toBe(
		"T0: acceptance evidence is required, and it is absent: integrity: pass; no acceptance check left evidence",
	);
});

test("a missing integrity comparison is ABSENT", () => {
	expect(gate(evidence()).evidence_checks.acceptance_evidence.status).toBe("ABSENT");
});

test("one red acceptance check of several is a FAIL, also beside an absent one", () => {
	const red = evidence({ check: "e2e", status: "fail", reason: "2 cases failed" });
	const report = gate(evidence(), red, evidence({ check: "api", status: "absent" }), integrity);
	expect(report.evidence_checks.acceptance_evidence).toEqual({
		status: "FAIL",
		details: "tests: pass; e2e: fail (2 cases failed); api: absent; integrity: pass",
	});
	expect(report.rule).toContain("and it failed: ");
});

test("a violation of the base comparison is a FAIL", () => {
	const touched = { ...integrity, status: "fail" as const, reason: "package.json" };
	expect(gate(evidence(), touched)).toMatchObject({ verdict: "FAIL" });
});

test.each(["absent", "error"] as const)("an acceptance check that is %s stays ABSENT", (status) => {
	const report = gate(evidence({ status, reason: "timeout" }), integrity);
	expect(report).toMatchObject({
		verdict: "FAIL",
		evidence_checks: { acceptance_evidence: { status: "ABSENT" } },
	});
});

test("evidence of another tree, or of the baseline, counts for nothing", () => {
	const stale = gate(evidence({ tree: "t0" }), integrity);
	expect(stale.evidence_checks.acceptance_evidence).toEqual({
		status: "ABSENT",
		details: "integrity: pass; tests: absent (its evidence is of another tree)",
	});
	expect(gate(evidence({ purpose: "baseline" }), integrity).verdict).toBe("FAIL");
});

test("a red lint is shown at T0 and decides nothing", () => {
	const report = gate(
		evidence(),
		integrity,
		evidence({ check: "lint", kind: "lint", status: "fail", reason: "3 problems" }),
	);
	expect(report.verdict).toBe("PASS");
	expect(report.evidence_checks.verification).toEqual({
		status: "SKIPPED",
		details: "not required at T0; lint: fail (3 problems)",
	});
});

test("a PASS means that every acceptance check passed and one ran", () => {
	const one = fc.record({
		status: fc.constantFrom(...EVIDENCE_STATUSES),
		kind: fc.constantFrom("acceptance" as const, "integrity" as const, "lint" as const),
		tree: fc.constantFrom("t0", "t1", "t1"),
	});
	fc.assert(
		fc.property(fc.array(one, { maxLength: 5 }), (all) => {
			const report = gate(...all.map((over) => evidence(over)));
			const required = all.filter(({ kind }) => kind !== "lint");
			const passed = required.every(({ status, tree }) => status === "pass" && tree === "t1");
			const kinds = new Set(required.map(({ kind }) => kind));
			expect(report.verdict).toBe(passed && kinds.size === 2 ? "PASS" : "FAIL");
		}),
	);
});
