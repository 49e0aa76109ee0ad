import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { EVIDENCE_STATUSES } from "../kernel/evidence-value.ts";
import type { MetricType } from "../workflow/workflow.ts";
import type { EvalMetric } from "./metric.ts";
import { type MetricRecords, metricsOf, mutationScore } from "./metrics-of.ts";

const records = (over: Partial<MetricRecords> = {}): MetricRecords => ({
	tree: "t1",
	evidence: [],
	checks: [],
	newResults: new Map(),
	coverage: {
		kind: "absent",
		reason: "no coverage check is configured",
		total: null,
		unreported: [],
	},
	claims: null,
	checklist: [],
	mutation: { kind: "absent", reason: "no mutation report is configured" },
	judges: new Map(),
	seats: ["dev", "challenger"],
	...over,
});
const measured = (
	type: MetricType,
	over: Partial<MetricRecords> = {},
	evaluator?: string,
): Pick<EvalMetric, "score" | "reason" | "rationale"> => {
	const agent = evaluator === undefined ? {} : { evaluator_agent: evaluator };
	const [metric] = metricsOf([{ type, weight: 1, ...agent }], records(over));
	const { score = null, reason = "", rationale } = metric ?? {};
	return rationale === undefined ? { score, reason } : { score, reason, rationale };
};
const ALL: readonly MetricType[] = [
	...(["test_coverage", "lint_score", "security_score", "checklist_completion"] as const),
	...(["requirement_coverage", "mutation_score", "llm_judge"] as const),
];

test("metrics stand in the order asked for, with type, weight and evaluator", () => {
	const asked = ALL.map((type, index) => ({ type, weight: index + 1 }));
	const judge = { type: "llm_judge" as const, weight: 0.5, evaluator_agent: "arbiter" };
	const metrics = metricsOf([...asked, judge], records());
	expect(metrics.map(({ type, weight, score }) => ({ type, weight, score }))).toEqual(
		[...asked, { type: judge.type, weight: judge.weight }].map((one) => ({ ...one, score: null })),
	);
	expect(metrics.at(-1)?.evaluator_agent).toBe("arbiter");
	expect(metrics.every(({ reason }) => reason !== "")).toBe(true);
});

test("what throws while it is computed is a metric without a value, and spares the others", () => {
	const asked = [
		{ type: "test_coverage", weight: 1 },
		{ type: "checklist_completion", weight: 1 },
	] as const;
	const planted = (thrown: unknown): MetricRecords =>
		Object.defineProperty(
			records({ claims: [{ criterion: "c", met: true, tests: [] }] }),
			"coverage",
			{
				get: () => {
					throw thrown;
				},
			},
		);
	expect(metricsOf(asked, planted(new Error("boom")))).toMatchObject([
		{ score: null, reason: "it could not be computed: boom" },
		{ score: 1 },
	]);
	expect(metricsOf(asked, planted("boom"))[0]?.reason).toBe(
		"it could not be computed: something that is not an Error was thrown",
	);
});

test("a metric that this version does not know has no value", () => {
	// The cast is a stored workflow of another version.
	const [metric] = metricsOf([{ type: "surprise" as MetricType, weight: 1 }], records());
	expect(metric).toMatchObject({
		score: null,
		reason: 'it could not be computed: unexpected value "surprise"',
	});
});

describe("test_coverage", () => {
	const measuredLines = (covered: number, executable: number, total: number | null = null) =>
		measured("test_coverage", {
			coverage: { kind: "measured", covered, executable, total, unreported: [] },
		});

	test("is the share of the changed lines, with the total beside it", () => {
		expect(measuredLines(9, 10, 0.4)).toEqual({
			score: 0.9,
			reason: "9 of 10 changed lines are covered; 0.40 in total",
		});
		expect(measuredLines(9, 10).reason).toBe("9 of 10 changed lines are covered");
	});

	test("has no value without changed lines, however high the total is", () => {
		const coverage = {
			kind: "absent" as const,
			reason: "no executable line was changed",
			total: 1,
			unreported: [],
		};
		expect(measured("test_coverage", { coverage })).toEqual({
			score: null,
			reason: "no executable line was changed; 1.00 in total",
		});
		expect(measuredLines(0, 0).score).toBeNull();
	});
});

describe.each([
	["lint_score", "lint"],
	["security_score", "security"],
] as const)("%s", (type, kind) => {
	const piece = (over: Partial<Evidence> = {}) => evidence({ check: "scan", kind, ...over });
	const results = (count: number, weight: number) => new Map([["scan", { fresh: count, weight }]]);

	test("is the status where there is no list of results", () => {
		expect(measured(type, { evidence: [piece()] })).toEqual({ score: 1, reason: "scan: pass" });
		expect(measured(type, { evidence: [piece({ status: "fail" })] }).score).toBe(0);
	});

	test.each([
		[0, 0, 1],
		[1, 1, 0.5],
		[3, 3, 0.25],
		[2, 1, 0.5],
	])("of %d new results of weight %d it is %d", (count, weight, score) => {
		const given = { evidence: [piece()], newResults: results(count, weight) };
		expect(measured(type, given)).toEqual({
			score,
			reason: `scan: ${count} new results of weight ${weight}`,
		});
	});

	test("is 0.0 when the check failed although no result is new", () => {
		const given = { evidence: [piece({ status: "fail" })], newResults: results(0, 0) };
		expect(measured(type, given)).toEqual({ score: 0, reason: "scan: fail" });
	});

	test("is the lowest of several checks, and has no value when one of them has none", () => {
		const red = piece({ check: "other", status: "fail" });
		expect(measured(type, { evidence: [piece(), red] })).toEqual({
			score: 0,
			reason: "scan: pass; other: fail",
		});
		const silent = piece({ check: "other", status: "error", reason: "timed out after 5m" });
		expect(measured(type, { evidence: [silent, piece()] })).toEqual({
			score: null,
			reason: "other could not be judged: timed out after 5m; scan: pass",
		});
		expect(measured(type, { evidence: [piece({ status: "absent" })] }).reason).toBe(
			"scan is absent",
		);
	});

	test("has no value without a check, or when a configured one left no evidence on this tree", () => {
		expect(measured(type)).toEqual({ score: null, reason: `there is no check of kind ${kind}` });
		const checks = [{ name: "scan", kind }];
		expect(measured(type, { checks, evidence: [piece()] }).score).toBe(1);
		for (const stale of [piece({ tree: "t0" }), piece({ purpose: "baseline" })]) {
			expect(measured(type, { checks, evidence: [stale] })).toEqual({
				score: null,
				reason: "scan left no evidence",
			});
		}
	});
});

const claim = (criterion: string, met: boolean, ...tests: string[]) => ({ criterion, met, tests });

test("checklist_completion is the share that the coach called met, and has no value without a coach", () => {
	const claims = [claim("a", true), claim("b", true), claim("c", false), claim("d", true)];
	expect(measured("checklist_completion", { claims })).toEqual({
		score: 0.75,
		reason: "3 of 4 criteria were called met",
	});
	expect(measured("checklist_completion").reason).toBe(
		"no coach, and no evaluator in its place, judged the criteria in this turn",
	);
	expect(measured("checklist_completion", { claims: [] })).toEqual({
		score: null,
		reason: "the task states no acceptance criteria",
	});
});

test("with a checklist it is the share of the items that passed; what could not be run is named and did not", () => {
	const item = (name: string, status: ChecklistResult["status"], reason: string | null = null) => ({
		item: name,
		status,
		reason,
	});
	const checklist = [
		item("log", "pass"),
		item("docs", "error", "timed out after 1m"),
		item("demo", "fail", "exit code 1"),
		item("site", "absent"),
		item("tour", "fail", "exit code 2"),
	];
	const claims = [claim("a", true)];
	expect(measured("checklist_completion", { checklist, claims })).toEqual({
		score: 0.2,
		reason:
			"1 of 5 checklist items passed; not passed: docs (error: timed out after 1m), demo (fail: exit code 1), site (absent) and 1 more",
	});
	expect(measured("checklist_completion", { checklist: [item("log", "pass")] })).toEqual({
		score: 1,
		reason: "1 of 1 checklist items passed",
	});
});

describe("requirement_coverage", () => {
	const ran = (...cases: readonly [string, TestCase["status"]][]) =>
		evidence({ cases: cases.map(([id, status]) => ({ id, status })) });
	const covered = (run: Evidence, ...claims: ReturnType<typeof claim>[]) =>
		measured("requirement_coverage", { evidence: [run], claims });

	test("counts a criterion that is met and named a test that passed in Sparring's run", () => {
		const run = ran(["limiter.test.js > refuses the 4th call", "passed"]);
		expect(
			covered(run, claim("refuses", true, "refuses  the 4th\ncall "), claim("refills", true)),
		).toEqual({
			score: 0.5,
			reason: "1 of 2 criteria are met and shown by a test that passed; not covered: refills",
		});
	});

	test("the coach's word alone covers nothing, and neither does a test alone", () => {
		const run = ran(["refuses", "passed"]);
		expect(covered(run, claim("a", true, "no such test")).score).toBe(0);
		expect(covered(run, claim("a", false, "refuses")).score).toBe(0);
	});

	test.each(["failed", "skipped"] as const)("a %s test covers nothing", (status) => {
		expect(covered(ran(["refuses", status]), claim("a", true, "refuses")).score).toBe(0);
	});

	test("a name that means several cases needs all of them to have passed", () => {
		const run = ran(["a > works", "passed"], ["b > works", "failed"], ["c > works", "passed"]);
		expect(covered(run, claim("x", true, "works")).score).toBe(0);
		expect(covered(run, claim("x", true, "a > works")).score).toBe(1);
		const twice = ran(["a > works", "passed"], ["a > works #2", "failed"]);
		expect(covered(twice, claim("x", true, "a > works")).score).toBe(0);
		expect(covered(twice, claim("x", true, "works #2")).score).toBe(0);
	});

	test.each([
		["test_a.py::TestBurst::test_refuses", "test_refuses"],
		["test_a.py::TestBurst::test_refuses", "TestBurst::test_refuses"],
		["src/a.test.ts > burst > refuses", "burst > refuses"],
		["::lead", "lead"],
		["x > ", "x > "],
	])("the case %s is meant by %s", (id, name) => {
		expect(covered(ran([id, "passed"]), claim("x", true, name)).score).toBe(1);
	});

	test.each(["4th call", "", " ", "limiter.test.js"])(
		"a part of a name (%j) means no case",
		(name) => {
			const run = ran(["limiter.test.js > refuses the 4th call", "passed"]);
			expect(covered(run, claim("x", true, name)).score).toBe(0);
		},
	);

	test("only cases of an acceptance run on this tree that speaks of it count", () => {
		const cases = [{ id: "refuses", status: "passed" as const }];
		const claims = [claim("a", true, "refuses")];
		const others = [
			{ cases, tree: "t0" },
			{ cases, purpose: "baseline" as const },
			{ cases, kind: "coverage" as const },
			{ cases, status: "error" as const },
			{ cases: null },
		];
		for (const over of others) {
			expect(measured("requirement_coverage", { evidence: [evidence(over)], claims })).toEqual({
				score: null,
				reason: "no acceptance check on this tree names its test cases",
			});
		}
	});

	test("has no value without a coach or without criteria", () => {
		const run = { evidence: [ran(["a", "passed"])] };
		expect(measured("requirement_coverage", run).score).toBeNull();
		expect(measured("requirement_coverage", { ...run, claims: [] }).score).toBeNull();
	});

	test("names three of the criteria that are not covered and counts the rest", () => {
		const claims = ["a", "b", "c", "d", "e"].map((criterion) => claim(criterion, true));
		expect(covered(ran(["t", "passed"]), ...claims).reason).toContain(
			"; not covered: a, b, c and 2 more",
		);
	});

	thorough("200,000 cases with names of thousands of parts are read quickly", () => {
		const id = "a > ".repeat(2_000);
		const cases = Array.from({ length: amount(200_000, 20_000) }, (_, index) => ({
			id: index % 100 === 0 ? `${id}${index}` : `f > ${index}`,
			status: "passed" as const,
		}));
		const started = performance.now();
		expect(covered(evidence({ cases }), claim("x", true, "77")).score).toBe(1);
		expect(performance.now() - started).toBeLessThan(10_000);
	});

	test("is never higher than checklist_completion", () => {
		const one = fc.record({
			criterion: fc.constantFrom("a", "b", "c"),
			met: fc.boolean(),
			tests: fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 2 }),
		});
		const result = fc.record({
			id: fc.constantFrom("f > x", "f > y", "g > x"),
			status: fc.constantFrom("passed" as const, "failed" as const, "skipped" as const),
		});
		fc.assert(
			fc.property(
				fc.array(one, { minLength: 1, maxLength: 5 }),
				fc.array(result, { minLength: 1, maxLength: 4 }),
				fc.constantFrom(...EVIDENCE_STATUSES),
				(claims, cases, status) => {
					const given = { claims, evidence: [evidence({ cases, status })] };
					const score = measured("requirement_coverage", given).score ?? 0;
					expect(score).toBeLessThanOrEqual(measured("checklist_completion", given).score ?? 0);
				},
			),
		);
	});
});

describe("llm_judge", () => {
	const answer = { ok: true, agent: "reviewer", score: 0.78, rationale: "thin tests" } as const;
	const judged = (
		given: MetricRecords["judges"] extends ReadonlyMap<string, infer T> ? T : never,
	) => measured("llm_judge", { judges: new Map([["reviewer", given]]) }, "reviewer");

	test("llm_judge with separate evaluator scores fairly", () => {
		expect(judged(answer)).toEqual({
			score: 0.78,
			reason: "scored by reviewer",
			rationale: "thin tests",
		});
	});

	test("a judge that has a seat in the task scores nothing, also as a fallback", () => {
		expect(judged({ ...answer, agent: "dev" })).toEqual({
			score: null,
			reason: "dev has a seat in this task, so its score does not count",
		});
	});

	test("without an evaluator, a call or a usable answer there is no value", () => {
		expect(measured("llm_judge").reason).toBe(
			"llm_judge metric requires evaluator_agent to be set",
		);
		expect(measured("llm_judge", {}, "reviewer").reason).toBe("reviewer was not asked");
		expect(judged({ ok: false, reason: "timeout" })).toEqual({
			score: null,
			reason: "reviewer gave no score: timeout",
		});
	});
});

const counted = { kind: "counted", detected: 0, undetected: 0, pending: 0, outside: 0 } as const;

test("of the mutants on changed lines the share that the tests noticed", () => {
	expect(mutationScore({ ...counted, detected: 3, undetected: 1 })).toEqual({
		score: 0.75,
		reason: "3 of 4 mutants of the changed lines were noticed by the tests",
	});
});

test("vacuous tests kill 3 of 20: 0.15", () => {
	expect(mutationScore({ ...counted, detected: 3, undetected: 17 }).score).toBe(0.15);
});

test("no mutant on a changed line is no value, and so is one that was not tried", () => {
	expect(mutationScore(counted)).toEqual({
		score: null,
		reason: "no mutant lies on a changed line",
	});
	expect(mutationScore({ ...counted, detected: 3, pending: 1 })).toEqual({
		score: null,
		reason: "1 mutants of the changed lines were not tested",
	});
});

test("files outside of the checkout are named", () => {
	const ignored = "; 1 files outside the checkout were ignored";
	expect(mutationScore({ ...counted, outside: 1 }).reason).toContain(ignored);
	expect(mutationScore({ ...counted, detected: 1, outside: 1 })).toEqual({
		score: 1,
		reason: `1 of 1 mutants of the changed lines were noticed by the tests${ignored}`,
	});
});

test("without a report the reason is kept", () => {
	expect(mutationScore({ kind: "absent", reason: "older than the run" })).toEqual({
		score: null,
		reason: "older than the run",
	});
});
