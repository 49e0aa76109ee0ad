import { expect, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import type { TurnRecord } from "../store/records.ts";
import type { GatePolicy, TaskDefinition } from "../workflow/workflow.ts";
import type { TaskContext } from "./context.ts";
import { type GateQuestion, gateWrites, turnGate } from "./turn-gate.ts";

const SITE = { turn: 2, node: "policy_gate" };

function contextOf(task: Partial<TaskDefinition>): TaskContext {
	return {
		run: { runId: "r" },
		task: { id: "one", gate: true, ...task },
		workflow: { checks: [] },
		clock: { now: () => 0 },
	} as unknown as TaskContext; // Only what the gate is asked with; the rest of a context has no part in it.
}

function piece(changes: Partial<Evidence>): Evidence {
	return {
		...{ check: "tests", kind: "acceptance", status: "pass", reason: null, purpose: "turn" },
		...{ tree: "t", definition: "d", exitCode: 0, counts: null, details: [], cases: null },
		...{ outputPath: null, outputTail: "", startedAt: "1970-01-01T00:00:00.000Z", ms: 1 },
		...{ touched: [], started: true },
		...changes,
	};
}

function question(changes: Partial<GateQuestion> = {}): GateQuestion {
	return {
		tree: "t",
		evidence: [piece({}), piece({ check: "integrity", kind: "integrity" })],
		// Only the claims of a turn are looked at.
		turn: { claims: [{ criterion: "works", met: true, tests: [] }] } as unknown as TurnRecord,
		score: null,
		...changes,
	};
}

const policy = (changes: Partial<GatePolicy>): GatePolicy => ({
	...{ riskTier: "T0", requireCoverage: false, coverageThreshold: 1 },
	...changes,
});

test("where no gate applies there is no report, and nothing is stored", () => {
	const context = contextOf({ gate: false });
	expect(turnGate(context, question())).toBeNull();
	expect(gateWrites(context, SITE, null)).toEqual([]);
});

test("a gate without a policy of its own asks for the acceptance evidence alone", () => {
	expect(turnGate(contextOf({}), question())).toMatchObject({
		...{ risk_tier: "T0", verdict: "PASS", confidence_score: null, hil_required: false },
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
	const score = { score: 1, advisory: "confidence threshold met", metrics: [], values: {} };
	expect(turnGate(contextOf({}), question({ evidence: [], score }))).toMatchObject({
		...{ verdict: "FAIL", confidence_score: 1, confidence_advisory: "confidence threshold met" },
	});
});

test("required coverage asks which criteria a test covers; without a coach nobody knows", () => {
	const gatePolicy = policy({ requireCoverage: true });
	for (const task of [{ gatePolicy }, { gatePolicy, pair: { challenger: "coach" } }])
		expect(turnGate(contextOf(task), question())?.verdict).toBe("FAIL");
});

test("the report is stored with its verdict for the task, the trace and the score", () => {
	const context = contextOf({});
	const report = turnGate(context, question());
	expect(gateWrites(context, SITE, report)).toMatchObject([
		{ kind: "step", key: { turn: 2, step: "gate-report" }, result: { verdict: "PASS" } },
		{ kind: "task", patch: { gate: { riskTier: "T0", verdict: "PASS" } } },
		{ kind: "event", event: { type: "gate-evaluated" } },
		{ kind: "score-outcome", turn: 2, patch: { gate: "PASS" } },
	]);
});
