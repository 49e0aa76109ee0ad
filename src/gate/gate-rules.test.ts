import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { askGate, refusing } from "./ask-gate.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";
import type { GateFacts, GateRule, Ruling } from "./gate-facts.ts";
import { GATE_RULES } from "./gate-rules.ts";

const integrity = evidence({ check: "integrity", kind: "integrity" });
const lint = evidence({ check: "lint", kind: "lint", status: "fail", reason: "3 problems" });

/** Facts that a check has where all is well. */
const facts = (more: Partial<GateFacts> = {}): GateFacts => ({
	tree: "t1",
	evidence: [evidence(), integrity],
	baseline: new Map(),
	checks: [],
	riskTier: "T0",
	mayNotWorsen: true,
	waive: {},
	questions: [],
	...more,
});

function said(more: Partial<GateFacts>, name: string): Ruling | undefined {
	return askGate(facts(more)).reasons.find(({ rule }) => rule === name);
}

test("what nobody knows is not asked, and refuses nothing", () => {
	const { outcome, reasons } = askGate(facts());
	expect(outcome).toBe("pass");
	const silent = reasons.filter(({ status }) => status === "NOT_ASKED").map(({ rule }) => rule);
	expect(silent).toEqual(["verification", "requirement_coverage", "coach", "signature"]);
});

test.each(["lint", "security", "readiness", "coverage"] as const)(
	"%s may not become worse, was red before, or is waived",
	(kind) => {
		const red = { ...lint, kind, check: kind };
		const worse = facts({ evidence: [evidence(), integrity, red] });
		expect(said(worse, kind)).toMatchObject({ status: "FAIL", blocks: [kind] });
		const before = facts({ ...worse, baseline: new Map([[kind, red]]) });
		expect(said(before, kind)).toMatchObject({ status: "SKIPPED" });
		const shown = said({ ...worse, mayNotWorsen: false }, kind);
		expect(shown?.details).toContain(`${kind}: fail (3 problems)`);
		const waived = said({ ...worse, waive: { lint: "x", security: "x", readiness: "x" } }, kind);
		expect(waived?.status).toBe(kind === "coverage" ? "FAIL" : "WAIVED");
	},
);

test("a check that is required names itself where it refuses, also where it was red before", () => {
	const red = facts({
		riskTier: "T1",
		evidence: [evidence(), integrity, lint, { ...lint, check: "audit", kind: "security" }],
		baseline: new Map([["lint", lint]]),
	});
	expect(refusing(askGate(red)).map(({ blocks }) => blocks)).toEqual([["lint"], ["audit"]]);
});

test("at a merge tests alone are asked, and in a comparison of trees no tests", () => {
	const noChecks = said({ scope: "tests", evidence: [] }, "acceptance");
	expect(noChecks).toMatchObject({ status: "SKIPPED" });
	const checks = [{ name: "tests", kind: "acceptance" as const }];
	expect(said({ scope: "tests", checks }, "acceptance")).toMatchObject({ status: "PASS" });
	expect(said({ scope: "tests", checks }, "lint")).toMatchObject({ status: "NOT_ASKED" });
	const trees = said({ scope: "trees", evidence: [integrity] }, "acceptance");
	expect(trees).toMatchObject({ status: "PASS" });
});

test("where all tests fail on the base too nothing could be judged", () => {
	const counts = { total: 1, passed: 0, failed: 0, skipped: 0, knownFailing: 1 };
	const known = evidence({ status: "absent", reason: "no test counts", counts });
	expect(askGate(facts({ evidence: [known, integrity] })).outcome).toBe("none");
	const red = evidence({ status: "absent", counts: { ...counts, failed: 1 } });
	expect(askGate(facts({ evidence: [red, integrity] })).outcome).toBe("fail");
});

test("a verifier's verdict is a rule of its own, whether asked for or not", () => {
	const of = (required: boolean, verdict: "passed" | "failed" | "skipped" | null) =>
		said({ verification: { required, verdict, reason: null } }, "verification");
	expect(of(true, "failed")).toMatchObject({ status: "FAIL" });
	expect(of(true, "skipped")).toMatchObject({ status: "SKIPPED" });
	expect(of(false, null)).toEqual(expect.objectContaining({ status: "SKIPPED", details: "" }));
	expect(of(false, "passed")?.details).toContain("not required");
});

test("questions, a coach and a signature ask or refuse as somebody has to decide", () => {
	expect(askGate(facts({ questions: ["s-1: what is it?"] })).outcome).toBe("ask");
	const coach = (approves: boolean | null, ...blocking: string[]) =>
		askGate(facts({ coach: { approves, blocking } })).outcome;
	expect([coach(true), coach(null), coach(false), coach(true, "F1: leaks")]).toEqual([
		"pass",
		"pass",
		"ask",
		"fail",
	]);
	const signed = (riskTier: GateFacts["riskTier"], isSigned: boolean) =>
		said({ riskTier, signed: isSigned }, "signature")?.status;
	expect([signed("T0", false), signed("T2", false), signed("T2", true)]).toEqual([
		"SKIPPED",
		"ASK",
		"PASS",
	]);
});

test("a rule outside of the report's areas refuses in the report, too", () => {
	const rule: GateRule = {
		rule: "no_friday",
		area: null,
		judge: () => ({ status: "FAIL", details: "nothing lands on a Friday" }),
	};
	// A table that everybody else may only read.
	const table = GATE_RULES as GateRule[];
	table.push(rule);
	try {
		const about = { runId: "r", taskId: "t", checklist: [], confidence: null, evaluatedAt: "now" };
		const report = evaluatePolicy({ ...facts(), ...about, allowed: [], suspicions: [] });
		expect(report).toMatchObject({ verdict: "FAIL" });
		expect(report.rule).toContain("no_friday: nothing lands on a Friday");
	} finally {
		table.pop();
	}
});
