import { expect, test } from "vitest";
import { impossibleGate } from "./gate-needs.ts";
import type { TaskDefinition, Workflow } from "./workflow.ts";

const TESTS = [{ kind: "acceptance" }];
const ALL = [...TESTS, { kind: "lint" }, { kind: "security" }, { kind: "readiness" }];

function lackOf(
	policy: Partial<TaskDefinition["gatePolicy"]>,
	{
		checks = ALL,
		waive,
		...task
	}: { checks?: object[] } & Pick<Workflow, "waive"> & Partial<TaskDefinition>,
) {
	const gatePolicy = { riskTier: "T0", requireCoverage: false, coverageThreshold: 1, ...policy };
	const one = { gate: true, gatePolicy, human: true, acceptanceCriteria: ["it holds"], ...task };
	// Only what the function reads of both.
	return impossibleGate(one as TaskDefinition, { checks, waive } as unknown as Workflow);
}

test("a tier without its kinds of checks can pass nothing, unless they are waived with a reason", () => {
	expect(lackOf({ riskTier: "T2" }, {})).toBeNull();
	const add = "add it, or waive it with a reason (`waive`)";
	expect(lackOf({ riskTier: "T2" }, { checks: TESTS })).toBe(
		`there is no lint, no security, no readiness check: ${add}`,
	);
	expect(
		lackOf({ riskTier: "T1" }, { checks: TESTS, waive: { lint: "prose", security: " " } }),
	).toBe(`there is no security check: ${add}`);
	expect(lackOf({ riskTier: "T0" }, { checks: [] })).toBe(
		"there is no acceptance check: add one that runs your tests",
	);
	expect(lackOf({ riskTier: "T2" }, { checks: [], gate: false })).toBeNull();
});

test("coverage that nobody reports and a signature that nobody gives are no gate to pass", () => {
	const pair = { challenger: "coach" };
	expect(lackOf({ requireCoverage: true }, { pair })).toBeNull();
	expect(lackOf({ requireCoverage: true }, {})).toMatch(/needs a coach/);
	expect(lackOf({ requireCoverage: true }, { pair, acceptanceCriteria: [] })).toMatch(
		/the task has none: write them/,
	);
	const byExit = [{ kind: "acceptance", report: { format: "exit" } }];
	expect(lackOf({ requireCoverage: true }, { pair, checks: byExit })).toMatch(
		/needs tests by name/,
	);
	expect(lackOf({ requireCoverage: true }, { pair, checks: [...byExit, ...TESTS] })).toBeNull();
	expect(
		lackOf({ requireCoverage: true }, { waive: { requirement_coverage: "prose" } }),
	).toBeNull();
	expect(lackOf({ riskTier: "T2" }, { human: false })).toMatch(
		/nobody can sign it, since people are off: set/,
	);
});
