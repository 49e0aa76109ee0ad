import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { GatePolicy, TaskDefinition } from "../workflow/workflow.ts";
import type { TaskFacts } from "./context.ts";
import { gated } from "./records/turn.ts";
import { aLog, theFacts } from "./scene.contract.ts";
import { type GateQuestion, shortOfTurn, turnGate } from "./turn-gate.ts";

const contextOf = (task: Partial<TaskDefinition>): TaskFacts =>
	theFacts({ task: { gate: true, ...task }, workflow: { checks: [] } });

function question(changes: Partial<GateQuestion> = {}): GateQuestion {
	return {
		tree: "t",
		evidence: [
			evidence({ tree: "t" }),
			evidence({ tree: "t", check: "integrity", kind: "integrity" }),
		],
		turn: { claims: [{ criterion: "works", met: true, tests: [] }] },
		verification: null,
		score: null,
		allowed: [],
		suspicions: [],
		now: "1970-01-01T00:00:00.000Z",
		...changes,
	};
}

const policy = (changes: Partial<GatePolicy>): GatePolicy => ({
	riskTier: "T0",
	requireCoverage: false,
	coverageThreshold: 1,
	...changes,
});

test("the table is asked where no gate reports, too, but not of a formal review", () => {
	const context = contextOf({ gate: false });
	expect(turnGate(context, question())?.verdict).toBe("PASS");
	// Nothing tests it, so that only the comparison can be asked for.
	expect(turnGate(context, question({ evidence: [] }))?.verdict).toBe("FAIL");
	expect(turnGate(contextOf({ gate: false, formalReview: true }), question())).toBeNull();
});

test("a gate without a policy of its own asks for the acceptance evidence alone", () => {
	expect(turnGate(contextOf({}), question())).toMatchObject({
		risk_tier: "T0",
		verdict: "PASS",
		confidence_score: null,
		hil_required: false,
		evaluated_at: "1970-01-01T00:00:00.000Z",
	});
	expect(turnGate(contextOf({}), question({ evidence: [] }))?.verdict).toBe("FAIL");
});

test("evidence of another tree says nothing", () => {
	expect(turnGate(contextOf({}), question({ tree: "other" }))?.verdict).toBe("FAIL");
});

test("at T1 what is missing is absent, and refuses", () => {
	const report = turnGate(contextOf({ gatePolicy: policy({ riskTier: "T1" }) }), question());
	expect(report).toMatchObject({
		verdict: "FAIL",
		evidence_checks: { verification: { status: "ABSENT" } },
	});
});

test("the highest score lets nothing pass", () => {
	const advisory = "confidence threshold met" as const;
	const score = { score: 1, threshold: 0.8, advisory, metrics: [], warnings: [], values: {} };
	expect(turnGate(contextOf({}), question({ evidence: [], score }))).toMatchObject({
		verdict: "FAIL",
		confidence_score: 1,
		confidence_advisory: "confidence threshold met",
	});
});

test("required coverage asks which criteria a test covers; without a coach nobody knows", () => {
	const gatePolicy = policy({ requireCoverage: true });
	for (const task of [{ gatePolicy }, { gatePolicy, pair: { challenger: "coach" } }])
		expect(turnGate(contextOf(task), question())?.verdict).toBe("FAIL");
});

test("the report is stored with its verdict for the task, the trace and the score", () => {
	const report = turnGate(contextOf({}), question());
	expect(report && gated(aLog(), report)).toMatchObject([
		{ kind: "step", key: { turn: 2, step: "gate-report" }, result: { verdict: "PASS" } },
		{ kind: "task", patch: { gate: { riskTier: "T0", verdict: "PASS" } } },
		{ kind: "event", event: { type: "gate-evaluated" } },
		{ kind: "score-outcome", turn: 2, patch: { gate: "PASS" } },
	]);
});

test("what a turn lacks are its checks, and when these passed the areas of its tier", () => {
	const facts = theFacts({ task: { gate: true, gatePolicy: policy({ riskTier: "T2" }) } });
	expect(shortOfTurn(facts, question({ evidence: [] }))).toEqual(["tests", "integrity"]);
	const [verification, readiness] = shortOfTurn(facts, question());
	expect(verification).toMatch(/^verification \(/);
	expect(readiness).toMatch(/^operational readiness \(/);
	expect(shortOfTurn(theFacts(), question())).toEqual([]);
});
