import { expect, test } from "vitest";
import { type GateReport, reworkReasons } from "./gate-report.ts";

const passed = { status: "PASS", details: "tests: pass" } as const;
const checks = (over: Partial<GateReport["evidence_checks"]> = {}) => ({
	evidence_checks: {
		acceptance_evidence: passed,
		verification: passed,
		operational_readiness: { status: "SKIPPED", details: "not required at T1" } as const,
		requirement_coverage: { status: "WAIVED", details: "waived" } as const,
		...over,
	},
});

test("a player is told what failed and what is missing, with the details", () => {
	const reasons = reworkReasons(
		checks({
			verification: { status: "FAIL", details: "lint: fail (3 problems)\naudit: pass" },
			operational_readiness: { status: "ABSENT", details: "no readiness check produced evidence" },
		}),
	);
	expect(reasons).toEqual([
		{ area: "verification", why: "verification failed: lint: fail (3 problems); audit: pass" },
		{
			area: "operational_readiness",
			why: "operational readiness is missing: no readiness check produced evidence",
		},
	]);
});

test("what passed, was skipped or waived gives no reason", () => {
	expect(reworkReasons(checks())).toEqual([]);
});
