import { expect, test } from "vitest";
import {
	conflictItem,
	fakeShell,
	humanItem,
	runEvent,
	runReport,
	spar,
	typing,
} from "./fakes.contract.ts";
import { askPerson } from "./terminal/ask-person.ts";
import { type Paint, paintFor } from "./terminal/paint.ts";

const paint: Paint = paintFor(fakeShell({ terminal: true }).out, {});

/** A colour that was spelled out, as hostile text is. */
const SPELLED = /\\x1b|\\x9b/;
const COLOUR = "\u001b[1m";

const context = {
	gate_report: {
		risk_tier: "T0",
		verdict: "FAIL",
		rule: "tests",
		confidence_score: 0.5,
		evidence_checks: { acceptance_evidence: { status: "FAIL", details: "tests: fail" } },
	},
	findings: [{ id: "F1", severity: "major", issue: "no burst" }],
	pair: { iteration: 1, max_iterations: 3, current_role_driver: "dev", history: [] },
};
const conflicts = conflictItem([], {
	context: {
		conflicts: [{ finding: "F1", escalation_reason: "a" }, { finding: "F2" }],
		critical: [{ finding: "F3", issue: "b" }],
	},
});
const finding = {
	...({ id: "F1", state: "open", severity: "major", source: "coach" } as const),
	blocking: true,
	late: true,
	criterion: null,
	file: "a.js",
	line: 1,
	issue: "no burst",
	suggestion: null,
	subtask: null,
	dispute: null,
	ruling: null,
	raised_turn: 1,
	changed_turn: 1,
	history: [],
	conflicts: [],
};
const events = [
	runEvent("node-entered", { phase: "gating" }, { node: "policy_gate" }),
	runEvent("node-left", { ms: 1, passed_through: "no gate" }, { node: "policy_gate" }),
	runEvent("turn-routed", { route: "feedback", reason: "F1" }, { node: "route" }),
];
const trace = {
	...({ schema_version: 1, run_id: "r1", task_id: "limiter", feature_id: null, turns: 1 } as const),
	events,
	verification_result: null,
	agent_invocations: {},
	...({ started_at: null, ended_at: null, status: "running" } as const),
};

test("a question asked on the spot has colours, and none that is spelled out", async () => {
	for (const item of [humanItem({ context }), conflicts]) {
		const person = typing("7", "later");
		await askPerson(item, { ...person, paint });
		expect(person.shown()).toContain(COLOUR);
		expect(person.shown()).not.toMatch(SPELLED);
		expect(person.shown()).toContain(`1  ${paint("strong", "player")}: `);
	}
});

test.each<[readonly string[], NonNullable<Parameters<typeof spar>[1]>["sparring"]]>([
	[["hil", "show", "H1"], { item: () => Promise.resolve(humanItem({ context })) }],
	[["hil", "show", "H1"], { item: () => Promise.resolve(conflicts) }],
	[["findings", "limiter"], { findings: () => Promise.resolve([finding]) }],
	[["trace", "limiter"], { trace: () => Promise.resolve(trace) }],
	[["status"], { status: () => Promise.resolve(runReport("failed", { failure_reason: "no" })) }],
])("%j on a terminal has colours, and none that is spelled out", async (args, sparring) => {
	const { out } = await spar(args, { terminal: true, ...(sparring && { sparring }) });
	expect(out).toContain(COLOUR);
	expect(out).not.toMatch(SPELLED);
});
