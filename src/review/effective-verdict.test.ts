import fc from "fast-check";
import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { EVIDENCE_STATUSES, evidenceWords } from "../kernel/evidence-value.ts";
import { blockers, effectiveVerdict, requiredOf } from "./effective-verdict.ts";
import { aFinding } from "./finding-builder.fixture.ts";
import { verdictReasonText } from "./verdict-reason.ts";

const judged = (criterion: string, met: boolean) => ({ criterion, met, evidence: null, tests: [] });
type Input = Parameters<typeof effectiveVerdict>[0];
const verdict = (over: Partial<Input> = {}) =>
	effectiveVerdict({
		report: { decision: "approve" },
		criteria: [judged("refills", true)],
		open: [],
		evidence: [evidence(), evidence({ check: "integrity", kind: "integrity" })],
		...over,
	});

test("an approval with nothing in the way counts", () => {
	expect(verdict()).toEqual({ raw: "approve", effective: "approve", reasons: [] });
	expect(verdict({ verificationShort: null, missing: [], unshown: null }).effective).toBe(
		"approve",
	);
});

test("an approval with an unmet criterion becomes feedback", () => {
	expect(verdict({ criteria: [judged("refills", false)] })).toEqual({
		raw: "approve",
		effective: "feedback",
		reasons: [{ kind: "criterion_unmet", criterion: "refills" }],
	});
});

test("an approval with a blocking finding becomes feedback; a minor or late one does not hinder it", () => {
	expect(verdict({ open: [aFinding()] }).reasons.map(verdictReasonText)).toEqual([
		"finding F1 (major) is open: burst is not refused",
	]);
	expect(
		verdict({ open: [aFinding({ severity: "minor" }), aFinding({ late: true })] }).effective,
	).toBe("approve");
});

test.each(["fail", "absent", "error"] as const)(
	"a coach that approves while a check is %s is overruled",
	(status) => {
		expect(verdict({ evidence: [evidence({ status, reason: "why" })] })).toEqual({
			raw: "approve",
			effective: "feedback",
			reasons: [{ kind: "check_short", check: "tests", status, why: "why" }],
		});
		expect(verdict({ evidence: [evidence({ status })] }).reasons.map(verdictReasonText)).toEqual([
			`required check tests ${evidenceWords(status)}`,
		]);
	},
);

test("a required check that left no record is in the way", () => {
	expect(verdict({ missing: ["tests"] }).reasons.map(verdictReasonText)).toEqual([
		"required check tests left no evidence",
	]);
});

test("verification that is short is in the way", () => {
	expect(verdict({ verificationShort: "inconclusive" }).reasons.map(verdictReasonText)).toEqual([
		"verification: inconclusive",
	]);
});

test("an approval of nothing needs tests that show that the work was there", () => {
	const why = "0 of 1 criteria are met and shown by a test that passed";
	expect(verdict({ unshown: why })).toEqual({
		raw: "approve",
		effective: "feedback",
		reasons: [{ kind: "nothing_changed", why }],
	});
});

test("feedback stays feedback though nothing is in the way", () => {
	expect(verdict({ report: { decision: "feedback" } })).toEqual({
		raw: "feedback",
		effective: "feedback",
		reasons: [],
	});
});

test("one of Sparring's findings is not named beside its criterion, but is when the criterion was not judged", () => {
	const own = aFinding({ source: "criterion", criterion: "refills" });
	const input = { open: [own], evidence: [] };
	expect(blockers({ ...input, criteria: [judged("refills", false)] })).toEqual([
		{ kind: "criterion_unmet", criterion: "refills" },
	]);
	expect(blockers({ ...input, criteria: [] })).toHaveLength(1);
	expect(
		blockers({ ...input, open: [aFinding({ source: "criterion" })], criteria: [] }),
	).toHaveLength(1);
});

test("acceptance and integrity are required, lint and the rest are not", () => {
	const all = (
		["acceptance", "integrity", "lint", "security", "readiness", "coverage"] as const
	).map((kind) => evidence({ kind }));
	expect(requiredOf(all, []).evidence.map(({ kind }) => kind)).toEqual(["acceptance", "integrity"]);
});

test("a required check without a record is missing, and so is the integrity comparison", () => {
	const checks = [
		{ name: "tests", kind: "acceptance" as const },
		{ name: "lint", kind: "lint" as const },
	];
	expect(requiredOf([], checks).missing).toEqual(["tests", "integrity"]);
	expect(
		requiredOf([evidence(), evidence({ check: "integrity", kind: "integrity" })], checks).short,
	).toEqual([]);
	const item = evidence({ check: "checklist/1", kind: "checklist", status: "error" });
	expect(requiredOf([item], []).evidence).toEqual([]);
	const red = requiredOf([evidence({ status: "fail" }), evidence({ kind: "lint" })], checks);
	expect(red.failed.map(({ status }) => status)).toEqual(["fail"]);
	expect(red.short).toEqual(["tests", "integrity"]);
});

test("an effective approval implies the coach's approval and no blockers", () => {
	const decision = fc.constantFrom("approve" as const, "feedback" as const);
	fc.assert(
		fc.property(
			fc.record({ decision }),
			fc.array(fc.boolean(), { maxLength: 3 }),
			fc.array(
				fc.record({
					severity: fc.constantFrom("minor" as const, "major" as const),
					late: fc.boolean(),
				}),
				{ maxLength: 3 },
			),
			fc.array(fc.constantFrom(...EVIDENCE_STATUSES), { maxLength: 3 }),
			fc.constantFrom("no test", null),
			(report, met, findings, statuses, unshown) => {
				const input = {
					report,
					criteria: met.map((value, index) => judged(`c${index}`, value)),
					open: findings.map((over, index) => aFinding({ ...over, id: `F${index}` })),
					evidence: statuses.map((status) => evidence({ status })),
					unshown,
				};
				const { raw, effective, reasons } = effectiveVerdict(input);
				expect(raw).toBe(report.decision);
				if (effective !== "approve") return;
				expect(raw).toBe("approve");
				expect(reasons).toEqual([]);
				expect(unshown).toBeNull();
				expect(blockers(input)).toEqual([]);
				expect(met.every(Boolean) && statuses.every((status) => status === "pass")).toBe(true);
			},
		),
	);
});
