import { expect, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import { type ContextInput, coachContext, playerContext } from "./context.ts";
import type { Finding } from "./finding.ts";

const evidence = (over: Partial<Evidence>): Evidence => ({
	check: "tests",
	kind: "acceptance",
	status: "fail",
	reason: "1 case failed",
	purpose: "turn",
	tree: "t1",
	definition: "d",
	exitCode: 1,
	counts: { total: 2, passed: 1, failed: 1, skipped: 0, knownFailing: 0 },
	details: ["burst"],
	cases: null,
	outputPath: "evidence/tests.log",
	touched: [],
	outputTail: "",
	startedAt: "2026-11-21T00:00:00.000Z",
	ms: 1,
	started: true,
	...over,
});
const finding: Finding = {
	id: "F1",
	issue: "line one\nline two",
	severity: "major",
	state: "disputed",
	file: "a b.js",
	line: 3,
	criterion: null,
	suggestion: null,
	dispute: { reason: "no", evidence: null, turn: 2 },
	ruling: { by: "person", decision: "FAIL", rationale: "it stands", turn: 1 },
	source: "coach",
	late: false,
	subtask: null,
	raisedTurn: 1,
	changedTurn: 2,
};
const iteration = {
	iteration: 1,
	turn: 1,
	driver_agent: "dev",
	driver_output_summary: "I am sure that it works",
	challenger_critique: "it does not",
	findings: [{ id: "F1", issue: "no burst", severity: "major", state: "open" } as const],
	challenger_approved: false,
	completed_subtask: null,
};
const input: ContextInput = {
	run: "r1",
	turn: 2,
	base: "b0",
	commit: "c1",
	task: { id: "limiter", description: "d", acceptanceCriteria: ["x"], contextFiles: ["y"] },
	subtask: null,
	findings: [finding, { ...finding, id: "F2", dispute: null, ruling: null }],
	evidence: [
		evidence({}),
		evidence({
			...({ check: "lint", item: "the log names it", kind: "lint" } as const),
			...({ status: "pass", counts: null, outputPath: null } as const),
		}),
	],
	stateDirectory: "/repo/.sparring",
	directive: "keep it small",
	pair: { driver: "dev", challenger: "rev", iteration: 2, maxIterations: 5, history: [iteration] },
};

test("the coach sees diff, evidence and findings, in the contract's keys", () => {
	expect(coachContext({ ...input, diffPath: "/d.diff" })).toEqual({
		role: "coach",
		run: "r1",
		turn: 2,
		base: "b0",
		commit: "c1",
		task: { id: "limiter", description: "d", acceptance_criteria: ["x"], context_files: ["y"] },
		suspicions: [],
		false_claims: [],
		verification_result: null,
		survivors: [],
		subtask: null,
		diff_path: "/d.diff",
		findings: [
			{
				id: "F1",
				issue: "line one\nline two",
				severity: "major",
				state: "disputed",
				criterion: null,
				file: "a b.js",
				line: 3,
				suggestion: null,
				dispute: { reason: "no", evidence: null, turn: 2 },
				ruling: { by: "person", decision: "FAIL", rationale: "it stands", turn: 1 },
			},
			expect.objectContaining({ id: "F2", dispute: null, ruling: null }),
		],
		evidence: [
			{
				check: "tests",
				item: null,
				kind: "acceptance",
				status: "fail",
				counts: { total: 2, passed: 1, failed: 1, skipped: 0, known_failing: 0 },
				details: ["burst"],
				output_path: "/repo/.sparring/evidence/tests.log",
			},
			{
				check: "lint",
				item: "the log names it",
				kind: "lint",
				status: "pass",
				counts: null,
				details: ["burst"],
				output_path: null,
			},
		],
		directive: "keep it small",
		pair: {
			driver: "dev",
			challenger: "rev",
			iteration: 2,
			max_iterations: 5,
			history: [
				{
					iteration: 1,
					turn: 1,
					driver_agent: "dev",
					challenger_critique: "it does not",
					findings: [{ id: "F1", issue: "no burst", severity: "major", state: "open" }],
					challenger_approved: false,
					completed_subtask: null,
				},
			],
		},
		confidence: null,
		conflict: null,
	});
});

test("the history of a pair reaches the player whole, and the coach without what players said of their work", () => {
	expect(playerContext({ ...input, confidence: null }).pair).toMatchObject({
		history: [iteration],
	});
	const told = JSON.stringify(coachContext({ ...input, diffPath: "/d.diff" }));
	expect(told).toContain("it does not");
	expect(told).not.toContain("driver_output_summary");
	expect(told).not.toContain("sure that it works");
});

test("the player sees no diff, only the evidence that did not pass, and how its last turn was scored", () => {
	const metric = { type: "llm_judge", score: null, weight: 1, reason: "silent" };
	const given = { score: 0, threshold: 0.8, advisory: null };
	const score = { ...given, metrics: [metric], exitConditions: ["loop.turn > 3"] };
	expect(playerContext({ ...input, confidence: score }).confidence).toEqual({
		...given,
		exit_conditions: ["loop.turn > 3"],
		metrics: [{ ...metric, evaluator_agent: null, rationale: null }],
	});
	const context = playerContext({ ...input, pair: null, confidence: null });
	expect(context.confidence).toBeNull();
	expect(context).toMatchObject({ role: "player", diff_path: null, pair: null });
	expect(context.evidence).toMatchObject([{ check: "tests" }]);
	expect(coachContext({ ...input, pair: null, diffPath: "/d.diff" }).pair).toBeNull();
	expect(context.verification_feedback).toBe("");
	const told = "Integration tests failed: adds";
	const again = playerContext({ ...input, confidence: null, verificationFeedback: told });
	expect(again.verification_feedback).toBe(told);
});

test("false claims stand in both contexts, and what independent tests said in the coach's", () => {
	const falseClaims = [{ kind: "check", check: "tests" }] as const;
	const told = [
		{ ...falseClaims[0], text: "tests: reported as passed, but it failed when Sparring ran it" },
	];
	const verified = {
		verdict: "passed",
		required: true,
		reasons: ["1 test passed"],
		tests: [{ path: "t.js", name: "adds", status: "passed" }],
		run: "npm test",
		output_path: "/calls/1/evidence/out.log",
	};
	const given = { ...input, falseClaims };
	expect(coachContext({ ...given, verified, diffPath: "/d" })).toMatchObject({
		false_claims: told,
		verification_result: verified,
	});
	const player = playerContext({ ...given, confidence: null });
	expect(player).toMatchObject({ false_claims: told });
	expect(player).not.toHaveProperty("verification_result");
});

test("the coach sees what survived of the mutants, and the player does not", () => {
	const survivor = { file: "a.js", line: 2, operator: "boundary", old: "a < b" };
	const survivors = [{ ...survivor, fresh: "a <= b" }];
	const counts = { kind: "counted", detected: 1, undetected: 1, pending: 0, outside: 0 } as const;
	const mutated = {
		...input,
		evidence: [evidence({ kind: "mutation", mutation: { ...counts, survivors } })],
	};
	expect(coachContext({ ...mutated, diffPath: "/d.diff" }).survivors).toEqual([
		{ ...survivor, new: "a <= b" },
	]);
	expect(JSON.stringify(playerContext({ ...mutated, confidence: null }))).not.toContain("a <= b");
});
