import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { EVIDENCE_STATUSES } from "../kernel/evidence-value.ts";
import { NOTHING_PASSED } from "../wall/replay/void-replay.ts";
import { evaluatePolicy, type PolicyInput } from "./evaluate-policy.ts";
import type { GateReport, RiskTier } from "./gate-report.ts";

const integrity = evidence({ check: "integrity", kind: "integrity" });
const lint = (over: Partial<Evidence> = {}) => evidence({ check: "lint", kind: "lint", ...over });
const audit = (over: Partial<Evidence> = {}) =>
	evidence({ check: "audit", kind: "security", ...over });
const boot = (over: Partial<Evidence> = {}) =>
	evidence({ check: "boot", kind: "readiness", ...over });
const tested = [evidence(), integrity];
const clean = [...tested, lint(), audit()];
const ready = [...clean, boot()];

const noVerification: PolicyInput["verification"] = {
	required: false,
	verdict: null,
	reason: null,
};
const noRequirements: PolicyInput["requirements"] = {
	required: false,
	threshold: 0.9,
	score: null,
	reason: "not computed",
};
const gate = (
	riskTier: RiskTier,
	given: readonly Evidence[],
	over: Partial<PolicyInput> = {},
): GateReport =>
	evaluatePolicy({
		runId: "r1",
		taskId: "limiter",
		riskTier,
		tree: "t1",
		evidence: given,
		checks: [],
		waive: {},
		verification: noVerification,
		requirements: noRequirements,
		checklist: [],
		confidence: null,
		allowed: [],
		suspicions: [],
		evaluatedAt: "2026-11-21T00:00:00.000Z",
		...over,
	});
const statuses = ({ evidence_checks: checks }: GateReport) => [
	checks.acceptance_evidence.status,
	checks.verification.status,
	checks.operational_readiness.status,
	checks.requirement_coverage.status,
];

describe("T0", () => {
	test("passed tests and an untouched base are a PASS, with the whole report", () => {
		expect(gate("T0", tested)).toEqual({
			allowed: [],
			suspicions: [],
			run_id: "r1",
			task_id: "limiter",
			risk_tier: "T0",
			verdict: "PASS",
			rule: "acceptance evidence is required, and it passed",
			evidence_checks: {
				acceptance_evidence: { status: "PASS", details: "tests: pass\nintegrity: pass" },
				verification: { status: "SKIPPED", details: "not required at T0" },
				operational_readiness: { status: "SKIPPED", details: "not required at T0" },
				requirement_coverage: {
					status: "SKIPPED",
					details: "not required: require_coverage is off",
				},
			},
			confidence_score: null,
			confidence_advisory: null,
			metrics: [],
			warnings: [],
			checklist: [],
			hil_required: false,
			evaluated_at: "2026-11-21T00:00:00.000Z",
			tree: "t1",
		});
	});

	test("no acceptance check is ABSENT, not FAIL, and the verdict is FAIL", () => {
		const report = gate("T0", [integrity]);
		expect(report.evidence_checks.acceptance_evidence.status).toBe("ABSENT");
		expect(report.verdict).toBe("FAIL");
		expect(report.rule).toBe(
			"acceptance evidence is required, and it is absent: integrity: pass; no acceptance check produced evidence",
		);
	});

	test("a configured acceptance check that produced no evidence is absent beside one that passed", () => {
		const checks = [{ name: "e2e", kind: "acceptance" as const }];
		expect(gate("T0", tested, { checks }).evidence_checks.acceptance_evidence).toEqual({
			status: "ABSENT",
			details: "tests: pass\nintegrity: pass\ne2e: absent (it produced no evidence)",
		});
	});

	test("a replay that had nothing to replay is shown as absent and in nobody's way, another one is not", () => {
		const replay = { check: "replay:tests", kind: "replay", status: "absent" } as const;
		const empty = evidence({ ...replay, reason: NOTHING_PASSED });
		expect(gate("T0", [...tested, empty])).toMatchObject({
			verdict: "PASS",
			evidence_checks: {
				acceptance_evidence: {
					details: `tests: pass\nintegrity: pass\nthe base's tests on the work: absent (${NOTHING_PASSED})`,
				},
			},
		});
		expect(gate("T0", [...tested, { ...empty, reason: "no tests ran" }]).verdict).toBe("FAIL");
	});

	test("a missing integrity comparison is ABSENT, a violation a FAIL", () => {
		expect(statuses(gate("T0", [evidence()]))[0]).toBe("ABSENT");
		const touched = { ...integrity, status: "fail" as const, reason: "package.json" };
		expect(statuses(gate("T0", [evidence(), touched]))[0]).toBe("FAIL");
	});

	test("one red acceptance check of several is a FAIL, also beside an absent one", () => {
		const red = evidence({ check: "e2e", status: "fail", reason: "2 cases failed" });
		const silent = evidence({ check: "api", status: "absent" });
		expect(gate("T0", [evidence(), red, silent, integrity])).toMatchObject({
			verdict: "FAIL",
			rule: "acceptance evidence is required, and it failed: tests: pass; e2e: fail (2 cases failed); api: absent; integrity: pass",
		});
	});

	test.each(["absent", "error"] as const)(
		"an acceptance check that is %s stays ABSENT",
		(status) => {
			const report = gate("T0", [evidence({ status, reason: "timeout" }), integrity]);
			expect(statuses(report)[0]).toBe("ABSENT");
			expect(report.verdict).toBe("FAIL");
		},
	);

	test("evidence for another tree, or of the baseline, does not count", () => {
		expect(
			gate("T0", [evidence({ tree: "t0" }), integrity]).evidence_checks.acceptance_evidence,
		).toEqual({
			status: "ABSENT",
			details: "integrity: pass\ntests: absent (its evidence is for another tree)",
		});
		expect(gate("T0", [evidence({ purpose: "baseline" }), integrity]).verdict).toBe("FAIL");
	});

	test("a red lint is shown at T0 and decides nothing", () => {
		const report = gate("T0", [...tested, lint({ status: "fail", reason: "3 problems" }), boot()]);
		expect(report.verdict).toBe("PASS");
		expect(report.evidence_checks.verification).toEqual({
			status: "SKIPPED",
			details: "not required at T0\nlint: fail (3 problems)",
		});
		expect(report.evidence_checks.operational_readiness).toEqual({
			status: "SKIPPED",
			details: "not required at T0\nboot: pass",
		});
	});

	test.each([
		["passed", "PASS", "PASS"],
		["failed", "FAIL", "FAIL"],
		["inconclusive", "ABSENT", "FAIL"],
		[null, "ABSENT", "FAIL"],
		// Nobody is there to write tests.
		["skipped", "SKIPPED", "PASS"],
	] as const)("verification that is required and %s is %s at T0", (verdict, status, said) => {
		const report = gate("T0", tested, { verification: { required: true, verdict, reason: null } });
		expect(report.evidence_checks.verification.status).toBe(status);
		expect(report.verdict).toBe(said);
	});

	test("a waiver with a reason lets a required verification go, and is shown", () => {
		const report = gate("T0", tested, {
			verification: { required: true, verdict: "skipped", reason: null },
			waive: { verification: "a spike" },
		});
		expect(report).toMatchObject({ verdict: "PASS" });
		expect(report.evidence_checks.verification.status).toBe("WAIVED");
		expect(report.evidence_checks.verification.details).toContain("a spike");
	});
});

describe("T1", () => {
	test("tests, lint and security that passed are a PASS", () => {
		const report = gate("T1", clean);
		expect(report).toMatchObject({ verdict: "PASS", hil_required: false });
		expect(statuses(report)).toEqual(["PASS", "PASS", "SKIPPED", "SKIPPED"]);
		expect(report.rule).toBe(
			"acceptance evidence is required, and it passed; verification is required, and it passed",
		);
		expect(report.evidence_checks.operational_readiness.details).toBe(
			"not configured, and optional at T1",
		);
	});

	test("without a security check it is a FAIL, since that kind is not waived", () => {
		const report = gate("T1", [...tested, lint()]);
		expect(report.verdict).toBe("FAIL");
		expect(report.rule).toBe(
			"verification is required, and it is absent: lint: pass; no security check produced evidence; independent verification: not required",
		);
	});

	test("without a security check it is a PASS when that kind is waived, and the reason is shown", () => {
		const report = gate("T1", [...tested, lint()], { waive: { security: "no dependencies" } });
		expect(report.verdict).toBe("PASS");
		expect(report.evidence_checks.verification).toEqual({
			status: "WAIVED",
			details:
				"lint: pass\nsecurity: waived (no dependencies)\nindependent verification: not required",
		});
		expect(report.rule).toContain("verification is required, and it is waived: lint: pass");
	});

	test("a waiver of one kind does not cover another, and a blank one covers nothing", () => {
		const given = [...tested, audit()];
		expect(gate("T1", given, { waive: { security: "none", lint: " \n" } }).verdict).toBe("FAIL");
	});

	test("a red check of a waived kind is still shown", () => {
		const given = [...tested, lint(), audit({ status: "fail", reason: "1 high" })];
		const report = gate("T1", given, { waive: { security: "reviewed" } });
		expect(report.evidence_checks.verification.details).toContain(
			"security: waived (reviewed)\naudit: fail (1 high)",
		);
		expect(report.verdict).toBe("PASS");
	});

	test("a red lint beside a missing security check is a FAIL of verification, not an absence", () => {
		const report = gate("T1", [...tested, lint({ status: "fail" })]);
		expect(report.evidence_checks.verification.status).toBe("FAIL");
	});

	test("a check that may stay red is absent, and can be waived", () => {
		const tolerated = lint({ status: "absent", reason: "tolerated: red at the baseline" });
		const given = [...tested, tolerated, audit()];
		expect(statuses(gate("T1", given))[1]).toBe("ABSENT");
		expect(gate("T1", given, { waive: { lint: "being fixed" } }).verdict).toBe("PASS");
	});

	test("readiness is required where a check of it is configured", () => {
		const checks = [{ name: "boot", kind: "readiness" as const }];
		expect(statuses(gate("T1", clean, { checks }))[2]).toBe("ABSENT");
		expect(statuses(gate("T1", [...clean, boot({ status: "fail" })]))[2]).toBe("FAIL");
		expect(statuses(gate("T1", ready, { checks }))[2]).toBe("PASS");
		const waived = gate("T1", clean, { checks, waive: { readiness: "a library" } });
		expect(waived.evidence_checks.operational_readiness).toEqual({
			status: "WAIVED",
			details: "readiness: waived (a library)",
		});
	});
});

describe("independent verification at T1", () => {
	test.each([
		["passed", "PASS"],
		["failed", "FAIL"],
		["inconclusive", "ABSENT"],
		["skipped", "ABSENT"],
		[null, "ABSENT"],
	] as const)("required and %s gives %s", (verdict, status) => {
		const verification = { required: true, verdict, reason: "why" };
		const report = gate("T1", clean, { verification });
		expect(report.evidence_checks.verification).toEqual({
			status,
			details: `lint: pass\naudit: pass\nindependent verification: ${verdict ?? "not done"} (why)`,
		});
	});

	test("not required, it is skipped with the reason", () => {
		const verification = { required: false, verdict: "skipped" as const, reason: "one file" };
		expect(gate("T1", clean, { verification }).evidence_checks.verification).toEqual({
			status: "PASS",
			details: "lint: pass\naudit: pass\nindependent verification: not required (one file)",
		});
	});

	test("a waiver of verification covers it, and neither lint nor security", () => {
		const verification = { required: true, verdict: "failed" as const, reason: null };
		const waive = { verification: "hardware is missing" };
		expect(gate("T1", clean, { verification, waive }).evidence_checks.verification).toEqual({
			status: "WAIVED",
			details: "lint: pass\naudit: pass\nindependent verification: waived (hardware is missing)",
		});
		expect(gate("T1", tested, { verification, waive }).verdict).toBe("FAIL");
	});
});

describe("T2", () => {
	test("all evidence that passed is a PASS that still needs a signature", () => {
		const report = gate("T2", ready);
		expect(report).toMatchObject({ verdict: "PASS", hil_required: true });
		expect(statuses(report)).toEqual(["PASS", "PASS", "PASS", "SKIPPED"]);
	});

	test("readiness is required, configured or not", () => {
		expect(gate("T2", clean)).toMatchObject({
			verdict: "FAIL",
			hil_required: true,
			rule: "operational readiness is required, and it is absent: no readiness check produced evidence",
		});
	});

	test("neither acceptance nor the signature can be waived", () => {
		const every = { lint: "x", security: "x", readiness: "x", verification: "x" };
		const sneaked = { ...every, requirement_coverage: "x", acceptance: "x", sign_off: "x" };
		expect(gate("T2", [integrity], { waive: sneaked })).toMatchObject({
			verdict: "FAIL",
			hil_required: true,
		});
		expect(gate("T2", tested, { waive: sneaked })).toMatchObject({
			verdict: "PASS",
			hil_required: true,
		});
	});
});

describe("requirement coverage", () => {
	const covered = (score: number | null, threshold = 0.9): Partial<PolicyInput> => ({
		requirements: { required: true, threshold, score, reason: "1 of 2 criteria" },
	});

	test.each(["T0", "T1", "T2"] as const)("is required at %s when the task says so", (tier) => {
		expect(statuses(gate(tier, ready, covered(0.9)))[3]).toBe("PASS");
		const report = gate(tier, ready, covered(0.5));
		expect(report.verdict).toBe("FAIL");
		expect(report.evidence_checks.requirement_coverage).toEqual({
			status: "FAIL",
			details: "requirement coverage below threshold (0.50 of 0.90): 1 of 2 criteria",
		});
	});

	test.each([null, Number.NaN, -1, 2, Number.POSITIVE_INFINITY])(
		"without a value (%s) is ABSENT, also at a threshold of 0",
		(score) => {
			const report = gate("T0", tested, covered(score, 0));
			expect(statuses(report)[3]).toBe("ABSENT");
			expect(report.verdict).toBe("FAIL");
		},
	);

	test("can be waived with a reason", () => {
		const waive = { requirement_coverage: "a refactoring" };
		const report = gate("T0", tested, { ...covered(null), waive });
		expect(report.evidence_checks.requirement_coverage).toEqual({
			status: "WAIVED",
			details: "requirement coverage: waived (a refactoring)",
		});
		expect(report.verdict).toBe("PASS");
	});
});

test("Confidence score does not bypass policy gate", () => {
	const advisory = "confidence threshold met";
	const confidence = { score: 0.99, advisory, metrics: [], warnings: [] };
	expect(gate("T2", ready, { confidence })).toMatchObject({
		verdict: "PASS",
		hil_required: true,
		confidence_score: 0.99,
		confidence_advisory: "confidence threshold met",
	});
	expect(gate("T2", clean, { confidence }).verdict).toBe("FAIL");
});

test("the returned score of the judge is recorded in the gate report, with every key of each metric", () => {
	const metrics = [
		{
			type: "llm_judge",
			score: 0.78,
			weight: 0.5,
			reason: "scored by reviewer",
			evaluator_agent: "reviewer",
			rationale: "one criterion is thin",
		},
		{ type: "mutation_score", score: null, weight: 0.5, reason: "no report" },
	];
	const warnings = ["mutation_score has no value and counts as 0.0: no report"];
	const confidence = { score: 0.39, advisory: null, metrics, warnings };
	const report = gate("T0", tested, { confidence });
	expect(report.warnings).toEqual(warnings);
	expect(gate("T0", tested).warnings).toEqual([]);
	expect(report.metrics).toEqual([
		metrics[0],
		{ ...metrics[1], evaluator_agent: null, rationale: null },
	]);
	expect(report.confidence_advisory).toBeNull();
});

test("a checklist is shown and decides nothing: neither its failures nor its passes are evidence", () => {
	const checklist = [{ item: "log", status: "fail", reason: "exit code 1" }] as const;
	const item = evidence({ check: "checklist/1", item: "log", kind: "checklist", status: "fail" });
	const report = gate("T2", [...ready, item], { checklist });
	expect(report).toEqual({ ...gate("T2", ready), checklist });
	expect(gate("T0", [integrity, { ...item, status: "pass" }]).verdict).toBe("FAIL");
});

const piece = fc.record({
	status: fc.constantFrom(...EVIDENCE_STATUSES),
	kind: fc.constantFrom(
		...(["acceptance", "integrity", "lint", "security", "readiness", "coverage"] as const),
		"checklist",
	),
	tree: fc.constantFrom("t0", "t1", "t1", "t1"),
});
const tier = fc.constantFrom(...(["T0", "T1", "T2"] as const));
const reason = fc.constantFrom("", "because");
const waive = fc.record({ lint: reason, security: reason, readiness: reason });
const NEEDS: Readonly<Record<RiskTier, readonly Evidence["kind"][]>> = {
	T0: ["acceptance", "integrity"],
	T1: ["acceptance", "integrity", "lint", "security"],
	T2: ["acceptance", "integrity", "lint", "security", "readiness"],
};

test("a PASS means that each required kind that is not waived has evidence, and that all of it passed", () => {
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 12 }), tier, waive, (all, riskTier, waived) => {
			const given = all.map((over) => evidence({ ...over, check: over.kind }));
			const report = gate(riskTier, given, { waive: waived });
			const optional = riskTier === "T1" && all.some(({ kind }) => kind === "readiness");
			const needs = [...NEEDS[riskTier], ...(optional ? ["readiness" as const] : [])];
			const waivedKinds = new Map<string, string>(Object.entries(waived));
			const asked = needs.filter((kind) => (waivedKinds.get(kind) ?? "") === "");
			const passed = asked.every((kind) => {
				const of = all.filter((each) => each.kind === kind);
				return of.length > 0 && of.every(({ status, tree }) => status === "pass" && tree === "t1");
			});
			expect(report.verdict).toBe(passed ? "PASS" : "FAIL");
			expect(report.rule).not.toBe("");
		}),
	);
});

test("no score, advisory or metric changes anything but the three places that show them", () => {
	const metric = fc.record({
		type: fc.string(),
		score: fc.option(fc.double()),
		weight: fc.double(),
		reason: fc.string(),
	});
	const confidence = fc.record({
		score: fc.double(),
		advisory: fc.option(fc.string()),
		metrics: fc.array(metric, { maxLength: 3 }),
		warnings: fc.array(fc.string(), { maxLength: 2 }),
	});
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 8 }), tier, confidence, (all, riskTier, note) => {
			const given = all.map((over) => evidence({ ...over, check: over.kind }));
			const plain = gate(riskTier, given);
			const report = gate(riskTier, given, { confidence: note });
			const { confidence_score, confidence_advisory, metrics, warnings, ...rest } = report;
			expect({ ...plain, ...rest }).toEqual(plain);
			expect(warnings).toEqual(note.warnings);
			expect([confidence_score, confidence_advisory, metrics.length]).toEqual([
				note.score,
				note.advisory,
				note.metrics.length,
			]);
		}),
	);
});
