import { expect, test } from "vitest";
import type { Sparring } from "../../library/sparring.ts";
import { spar } from "../fakes.contract.ts";

type Report = NonNullable<Awaited<ReturnType<Sparring["gate"]>>>;
type Finding = Awaited<ReturnType<Sparring["findings"]>>[number];
type Calibration = Awaited<ReturnType<Sparring["calibration"]>>[number];

const passed = { status: "PASS", details: "tests: pass" } as const;
const skipped = { status: "SKIPPED", details: "" } as const;
const report: Report = {
	...({ run_id: "r1", task_id: "limiter", risk_tier: "T0", verdict: "FAIL" } as const),
	rule: "acceptance evidence is required",
	evidence_checks: {
		acceptance_evidence: { status: "FAIL", details: "tests: fail (1 failed)\u001b[2J" },
		verification: passed,
		operational_readiness: skipped,
		requirement_coverage: skipped,
	},
	confidence_score: null,
	confidence_advisory: null,
	metrics: [],
	warnings: [],
	checklist: [],
	hil_required: false,
	allowed: [],
	suspicions: [],
	evaluated_at: "2026-11-21T22:05:09.000Z",
	tree: "abc",
};

const finding = (changes: Partial<Finding> = {}): Finding => ({
	id: "F1",
	state: "open",
	severity: "major",
	blocking: true,
	late: false,
	source: "coach",
	criterion: null,
	file: null,
	line: null,
	issue: "refuses\nnever",
	suggestion: null,
	subtask: null,
	dispute: null,
	ruling: null,
	raised_turn: 1,
	changed_turn: 1,
	history: [],
	conflicts: [],
	...changes,
});

const NOTHING = { count: 0, good: 0, mean: null, share: null, interval: null } as const;
const group = (changes: Partial<Calibration> = {}): Calibration => ({
	agent: "arbiter",
	metric: "llm_judge",
	count: 10,
	waiting: 2,
	unscored: 1,
	buckets: [
		{ from: 0, to: 0.5, ...NOTHING, verdict: "too few" },
		{
			from: 0.9,
			to: 1,
			count: 10,
			good: 5,
			mean: 0.95,
			share: 0.5,
			verdict: "too high",
			interval: { low: 0.2366, high: 0.7634 },
		},
	],
	...changes,
});

test("spar gate shows warnings and the items of a checklist, without their control characters", async () => {
	const shown = {
		...report,
		warnings: ["llm_judge (eve) has no value and counts as 0.0: \u001b[2Jgone"],
		checklist: [
			{ item: "log \u001b[2Jnames it", status: "fail", reason: "exit code 1" },
			{ item: "demo", status: "pass", reason: null },
		] as const,
	};
	const gate = (): Promise<Report> => Promise.resolve(shown);
	const { out } = await spar(["gate", "limiter"], { sparring: { gate } });
	expect(out).toContain("warning: llm_judge (eve) has no value and counts as 0.0: \\x1b[2Jgone");
	expect(out).toContain(
		"checklist: 1 of 2 passed (counts in the score only)\n  fail log \\x1b[2Jnames it: exit code 1\n  pass demo",
	);
});

test("spar gate shows the report of the named run, control characters spelled out", async () => {
	const asked: unknown[] = [];
	const gate: Sparring["gate"] = (...args) => {
		asked.push(args);
		return Promise.resolve(report);
	};
	const shown = await spar(["gate", "limiter", "--run", "r1"], { sparring: { gate } });
	expect(shown).toMatchObject({ code: 0, err: "" });
	expect(shown.out).toBe(`task limiter of run r1, tree abc, evaluated 2026-11-21T22:05:09.000Z
T0 FAIL (acceptance evidence is required)
FAIL acceptance evidence
  tests: fail (1 failed)\\x1b[2J
PASS verification
  tests: pass
SKIPPED operational readiness
SKIPPED requirement coverage
`);
	const json = await spar(["gate", "limiter", "--json"], { sparring: { gate } });
	expect(JSON.parse(json.out)).toEqual(report);
	expect(asked).toEqual([
		["limiter", "r1"],
		["limiter", undefined],
	]);
});

test("a task that no gate has looked at has no report", async () => {
	const gate = () => Promise.resolve(null);
	expect(await spar(["gate", "a"], { sparring: { gate } })).toMatchObject({
		code: 0,
		out: "",
		err: "the gate has not evaluated this task yet\n",
	});
	expect((await spar(["gate", "a", "--json"], { sparring: { gate } })).out).toBe("null\n");
});

test("spar findings shows each finding with its life", async () => {
	const all = [
		finding({
			state: "disputed",
			file: "src/limiter.js",
			line: 12,
			criterion: "refuses",
			suggestion: "count",
			subtask: "core",
			changed_turn: 2,
			dispute: { reason: "it does", evidence: "test 3", turn: 2 },
		}),
		finding({
			id: "F2",
			severity: "minor",
			blocking: false,
			late: true,
			file: "a.js",
			issue: "name",
			dispute: { reason: "no", evidence: null, turn: 1 },
		}),
	];
	const findings = () => Promise.resolve(all);
	const shown = await spar(["findings", "limiter"], { sparring: { findings } });
	expect(
		shown.out,
	).toBe(`F1 major disputed blocking  raised in turn 1, disputed since turn 2  src/limiter.js:12
  refuses
  never
    criterion: refuses
    suggestion: count
    subtask: core
F2 minor open late  raised in turn 1  a.js
  name
`);
	const json = await spar(["findings", "limiter", "--json"], { sparring: { findings } });
	expect(JSON.parse(json.out)).toEqual(all);
	const none = await spar(["findings", "limiter"], {
		sparring: { findings: () => Promise.resolve([]) },
	});
	expect(none).toMatchObject({ code: 0, out: "", err: "no findings\n" });
});

test("spar findings tells who said what in which turn, what was decided and why a person is asked", async () => {
	const at = { evidence: null, timestamp: "2026-11-21T22:05:09.000Z" } as const;
	const attempt = { rationale: null, escalation_reason: null, decision: null } as const;
	const all = [
		finding({
			state: "overruled",
			blocking: false,
			changed_turn: 5,
			issue: "no burst",
			dispute: { reason: "it does", evidence: "run it", turn: 5 },
			ruling: { by: "person", decision: "PASS", rationale: "agreed", turn: 5 },
			history: [
				{ ...at, turn: 1, state: "open", by: "coach", text: null },
				{
					...at,
					turn: 2,
					state: "disputed",
					by: "player",
					text: "it does\u001b[2J",
					evidence: "npm test\nall pass",
				},
				{ ...at, turn: 2, state: "upheld", by: "coach", text: "it does not" },
				{ ...at, turn: 2, state: "conflict_settled", by: "tie_breaker", text: "the 11th passes" },
				{ ...at, turn: 2, state: "upheld", by: "tie_breaker", text: "the 11th passes" },
				{ ...at, turn: 3, state: "dispute_ignored", by: "player", text: "no new evidence" },
				{ ...at, turn: 5, state: "conflict_escalated", by: null, text: "no agreement" },
				{ ...at, turn: 5, state: "answered", by: "person", text: "take_developer" },
				{ ...at, turn: null, state: "overruled", by: "person", text: "agreed" },
			],
			conflicts: [
				{
					...attempt,
					conflict_id: "c1",
					turn: 2,
					attempt: 1,
					resolution: "AUTO",
					tie_breaker: "arbiter",
					decision: "FAIL",
					rationale: "the 11th passes",
				},
				{
					...attempt,
					conflict_id: "c2",
					turn: 5,
					attempt: 2,
					resolution: "ESCALATE",
					tie_breaker: "arbiter",
					escalation_reason: "no agreement",
				},
			],
		}),
	];
	const findings = () => Promise.resolve(all);
	const shown = await spar(["findings", "limiter"], { sparring: { findings } });
	expect(shown.out).toBe(`F1 major overruled  raised in turn 1, overruled since turn 5
  no burst
    turn 1: raised by the coach
    turn 2: disputed by the player
      it does\\x1b[2J
      evidence: npm test
      all pass
    turn 2: upheld by the coach
      it does not
    turn 2: settled by the tie-breaker (attempt 1, FAIL)
      the 11th passes
    turn 2: upheld by the tie-breaker
    turn 3: a dispute had no effect
      no new evidence
    turn 5: a person has to decide (attempt 2)
      no agreement
    turn 5: overruled by a person
      agreed
`);
	const json = await spar(["findings", "limiter", "--json"], { sparring: { findings } });
	expect(JSON.parse(json.out)).toEqual(all);
});

type Entry = Finding["history"][number];

/** The lines of a life that ends in an answer, below the raising; `effect` is what stands behind the answer. */
async function answeredLines(choice: string, ...effect: Partial<Entry>[]): Promise<string[]> {
	const at = { evidence: null, timestamp: "2026-11-21T22:05:09.000Z", turn: 2 } as const;
	const entry = { ...at, by: "person", state: "upheld", text: null } as const;
	const history = [
		{ ...at, state: "open", by: "coach", text: null, turn: 1 } as const,
		{ ...entry, state: "answered", text: choice } as const,
		...effect.map((each) => ({ ...entry, ...each })),
	];
	const findings = () => Promise.resolve([finding({ issue: "no burst", history })]);
	const { out } = await spar(["findings", "limiter"], { sparring: { findings } });
	return out.trimEnd().split("\n").slice(3);
}

test.each<[string, Partial<Entry>[], string[]]>([
	["directive", [{ text: "x" }], ["    turn 2: a person gave a directive", "      x"]],
	[
		"take_reviewer",
		[{ text: "took the reviewer's feedback", unsaid: true }],
		["    turn 2: a person took the coach's side"],
	],
	[
		"take_reviewer",
		[{ text: "sure" }],
		["    turn 2: a person took the coach's side", "      sure"],
	],
	[
		"take_developer",
		[{ state: "overruled", text: "took the developer's output", unsaid: true }],
		["    turn 2: overruled by a person"],
	],
	["take_developer", [], ["    turn 2: a person took the player's side"]],
	["odd\u001b[2J", [], ["    turn 2: a person chose odd\\x1b[2J"]],
	[
		"directive",
		[
			{ text: "x" },
			{ state: "disputed", by: "player", text: "y" },
			{ state: "answered", text: "directive" },
			{ state: "disputed", text: "z" },
		],
		[
			"    turn 2: a person gave a directive",
			"      x",
			"    turn 2: disputed by the player",
			"      y",
			"    turn 2: a person gave a directive",
			"      z",
		],
	],
])(
	"a person's answer %j and what it did are told once, in the words given",
	async (choice, effect, lines) => {
		expect(await answeredLines(choice, ...effect)).toEqual(lines);
	},
);

test("spar calibration shows counts and the interval, and says when there are too few", async () => {
	const all = [group(), group({ agent: "dev", count: 0, waiting: 0, unscored: 0, buckets: [] })];
	const calibration = () => Promise.resolve(all);
	const shown = await spar(["calibration"], { sparring: { calibration } });
	expect(
		shown.out,
	).toContain(`arbiter  llm_judge  10 scores with an outcome, 2 without an outcome yet, 1 without a value
  score       good     mean  share  interval      verdict
  0.9 to 1.0  5 of 10  0.95  0.50   0.24 to 0.76  too high

dev  llm_judge  0 scores with an outcome
  too few
`);
	const json = await spar(["calibration", "--json"], { sparring: { calibration } });
	expect(JSON.parse(json.out)).toEqual(all);
	const none = await spar(["calibration"], {
		sparring: { calibration: () => Promise.resolve([]) },
	});
	expect(none).toMatchObject({ code: 0, out: "", err: "no scores yet\n" });
});
