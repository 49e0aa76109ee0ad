import { expect, test } from "vitest";
import type { HumanItem } from "../../human/human-item.ts";
import type { BudgetFacts } from "../../human/question.ts";
import { itemDetailJson, itemJson } from "../../view/item-json.ts";
import { conflictItem, humanItem } from "../fakes.contract.ts";
import { noPaint, type Paint } from "./paint.ts";
import { renderConflict, renderItem } from "./render-item.ts";

const context = {
	developer: { notes: "bucket done", files: ["src/limiter.js"] },
	reviewer: {
		agent: "rev",
		decision: "feedback",
		rationale: "burst is wrong",
		attempts: [{ what: "11 calls", command: "node try.js 11", outcome: "all pass" }],
	},
	findings: [
		{
			id: "F1",
			severity: "major",
			state: "disputed",
			issue: "refuses\nnever",
			file: "src/limiter.js",
			line: 12,
			criterion: "refuses after the burst",
			suggestion: "count",
			dispute: { reason: "it does", evidence: null, turn: 2 },
		},
		{ id: "F2", severity: "minor", issue: "name", file: "a.js" },
	],
	evidence: [
		{
			check: "tests",
			kind: "acceptance",
			status: "fail",
			reason: "1 failed",
			counts: { total: 2, passed: 1, failed: 1 },
			details: ["burst: expected 1"],
			output_path: ".sparring/out.txt",
		},
		{
			check: "lint",
			kind: "lint",
			status: "absent",
			said: ["biome: not found"],
			reason: "no report",
		},
	],
	gate: { risk_tier: "T0", verdict: "FAIL", rule: "acceptance" },
	reasons: ["F1 is open"],
	diff_path: ".sparring/d.diff",
	branch: "sparring/r1/limiter",
	commit: "abc",
	turns: 3,
};

test("a question shows both sides, findings, evidence, the work and each choice", () => {
	expect(renderItem(humanItem({ context }), noPaint)).toBe(`H1  waiting  task limiter  run r1
about: turn limit, since 2026-11-21T22:05:09.000Z

Why you are asked
  Max turns (3) reached without approval

Findings
  F1 major disputed (src/limiter.js:12):
    refuses
    never
    criterion: refuses after the burst
    suggestion: count
    the player disputes it: it does
  F2 minor open (a.js): name

What coach rev says
  decision: feedback
  burst is wrong
  tried 11 calls (node try.js 11): all pass

What player dev says
  bucket done
  files: src/limiter.js

Reasons
  F1 is open

Evidence
  tests (acceptance): fail, 1 of 2 passed, 1 failed, 1 failed
    burst: expected 1
    output: .sparring/out.txt
  lint: absent, "biome: not found" (no report)

Gate
  T0 FAIL (acceptance)

The work
  branch: sparring/r1/limiter
  commit: abc
  turns: 3
  diff: .sparring/d.diff
  see it: spar diff limiter --run r1

In short
  Max turns (3) reached without approval
  coach rev: burst is wrong
  player dev: bucket done
  F1 major disputed (src/limiter.js:12): refuses never
  F2 minor open (a.js): name
  tests: fail, 1 failed
  lint: absent, "biome: not found" (no report)

Your choices
  spar answer H1 --take player
      The work goes on to the gate as it stands, without another player turn; the gate can still refuse it.
  spar answer H1 --take coach
      The player fixes the open findings in one more turn, which is granted even at the limit.
  spar answer H1 --directive "TEXT"
      Player and coach get your words, and the player gets one more turn, even at the limit.
  spar hil reject H1 --reason "TEXT"
      The task fails with the reason that you give; its branch and checkout stay.`);
});

const gateReport = {
	run_id: "r1",
	task_id: "limiter",
	risk_tier: "T2",
	verdict: "PASS",
	rule: "T2: all",
	evidence_checks: {
		acceptance_evidence: { status: "PASS", details: "tests: pass" },
		operational_readiness: { status: "WAIVED", details: "lint: pass\nsecurity: waived (later)" },
	},
	confidence_score: 0.873,
	confidence_advisory: "confidence threshold met",
	metrics: [
		{
			type: "llm_judge",
			score: 0.9,
			weight: 1,
			reason: "sound",
			evaluator_agent: "arbiter",
			rationale: "I read it",
		},
	],
	hil_required: true,
	evaluated_at: "2026-11-21T22:05:09.000Z",
	tree: "abc",
};
const pairState = {
	driver_agent: "pe",
	challenger_agent: "architect",
	current_role_driver: "architect",
	iteration: 1,
	max_iterations: 3,
	history: [
		{
			iteration: 1,
			turn: 2,
			driver_agent: "pe",
			challenger_approved: false,
			driver_output_summary: "bucket\u001b[2J done",
			challenger_critique: "",
			findings: [{ id: "F1", issue: "no burst", severity: "major", state: "open" }],
			completed_subtask: "core",
		},
	],
};

test("a question for a signature shows the gate's report, the history, and what signing does", () => {
	const signing = humanItem({
		trigger: "sign_off",
		choices: ["continue"],
		context: {
			gate_report: gateReport,
			pair: pairState,
			confidence: { score: 0.873, advisory: "confidence threshold met", metrics: [] },
		},
	});
	expect(renderItem(signing, noPaint)).toContain(`Pair history
  iterations: 1 (limit 3 for each subtask); next player: architect
  1 (turn 2): not approved, completed subtask core
    pe: bucket\\x1b[2J done
    critique: (nothing)
      F1 major open: no burst

Confidence
  0.87 (confidence threshold met)

Gate
  T2 PASS (T2: all)
  PASS acceptance evidence
    tests: pass
  WAIVED operational readiness
    lint: pass
    security: waived (later)

  confidence 0.87, confidence threshold met (advice: it decides nothing)
  metric     score  weight  by       from
  llm_judge  0.90   1       arbiter  sound
  arbiter says: I read it
  before the merge it needs a person's signature

In short
  Max turns (3) reached without approval

Your choices
  spar answer H1
      The gate's report is signed, and the task goes on to its merge.`);
});

test("a score without a gate is shown with its metrics", () => {
	const { metrics } = gateReport;
	const text = renderItem(
		humanItem({ context: { confidence: { score: 0.5, advisory: null, warnings: [], metrics } } }),
		noPaint,
	);
	expect(text).toContain("Confidence\n  0.50\n  metric     score");
});

test("an approval without any attempt to break the work is shown as such", () => {
	const text = (attempts: HumanItem["context"]["reviewer"]["attempts"]): string => {
		const reviewer = {
			agent: "coach",
			decision: "approve",
			effective: "approve",
			rationale: "fine",
			attempts,
		} as const;
		return renderItem(humanItem({ context: { reviewer } }), noPaint);
	};
	expect(text([])).toContain("decision: approve, without any attempt to break the work\n");
	expect(text([{ what: "", command: "node try.js", outcome: "" }])).toContain(
		"decision: approve\n  fine\n  tried node try.js\n",
	);
	expect(text(null)).toContain("decision: approve\n");
});

test("hostile text of an agent cannot hide the choices", () => {
	const hostile = { reviewer: { rationale: "ok\u001b[8m\u001b[2J" } };
	expect(renderItem(humanItem({ context: hostile }), noPaint)).not.toContain("\u001b");
});

const answer = {
	...({ choice: "directive", directive: "keep it", notes: null, reason: null } as const),
	answeredAt: "2026-11-21T23:00:00.000Z",
};

test("an answered question shows the answer instead of choices", () => {
	const text = renderItem(humanItem({ status: "RESOLVED", answer }), noPaint);
	expect(text).toContain("Answer\n  a directive at 2026-11-21T23:00:00.000Z\n  keep it");
	expect(text).not.toContain("Your choices");
});

test("the JSON has the contract's keys, the choices in the command's words", () => {
	expect(itemJson(humanItem())).toEqual({
		id: "H1",
		run_id: "r1",
		task_id: "limiter",
		trigger: "loop_exhausted",
		status: "PENDING",
		reason: "Max turns (3) reached without approval",
		choices: ["take_developer", "take_reviewer", "directive"],
		created_at: "2026-11-21T22:05:09.000Z",
	});
	const item = humanItem({ context });
	expect(itemDetailJson(item).context).toBe(item.context);
	expect(itemDetailJson(humanItem()).resolution).toBeNull();
	expect(itemDetailJson(humanItem({ answer })).resolution).toEqual({
		add_usd: null,
		add_wall_ms: null,
		choice: "directive",
		directive: "keep it",
		notes: null,
		reason: null,
		answered_at: "2026-11-21T23:00:00.000Z",
	});
});

const SPENT: BudgetFacts = {
	scope: "run",
	usd: { limit: 10, spent: 10.2 },
	wall: null,
	calls: 7,
	unknown_cost_calls: 2,
};
const spent = (budget: Partial<BudgetFacts>) =>
	humanItem({ trigger: "budget", choices: ["continue"], context: { budget } });

test("a spent budget is shown with what was used, and each way to go on", () => {
	expect(renderItem(spent(SPENT), noPaint)).toContain(`Budget of the run
  money: $10.20 of $10.00
  calls: 7, of unknown cost: 2

In short
  Max turns (3) reached without approval

Your choices
  spar answer H1 --add-usd N
      Money is added to the budget of the run, and it goes on.
  spar answer H1
      The budget is checked again; if it is still spent, the task waits again.
  spar hil reject H1`);
	const wall = { limit_ms: 60_000, spent_ms: 61_000 };
	const text = renderItem(spent({ ...SPENT, scope: "task", usd: null, wall }), noPaint);
	expect(text).toContain("Budget of task limiter\n  time: 1m 1s of 1m 0s");
	expect(text).toContain("--add-wall 30m\n      Time is added to the budget of task limiter");
	expect(text).not.toContain("--add-usd");
});

test("what an answer added is shown with it", () => {
	const more = { ...answer, choice: "continue" as const, addUsd: 5, addWallMs: 1_800_000 };
	const text = renderItem(humanItem({ status: "RESOLVED", answer: more }), noPaint);
	expect(text).toContain("added $5.00\n  added 30m 0s");
	expect(itemDetailJson(humanItem({ answer: more })).resolution).toMatchObject({
		add_usd: 5,
		add_wall_ms: 1_800_000,
	});
});

const part = {
	...({ choice: "directive", directive: "count\nfrom 1", notes: "sure" } as const),
	answeredAt: "2026-11-22T05:00:00.000Z",
};

test("each conflict is shown with both sides, the attempt, why it came, and its answer", () => {
	const text = renderItem(conflictItem(["F1", "F2"], { parts: { F1: part } }), noPaint);
	expect(text).toContain(`
Why you are asked
  Conflict about F1 (attempt 3): Maximum auto-resolution attempts reached; user intervention required.
  Conflict about F2 (attempt 3): Maximum auto-resolution attempts reached; user intervention required.

Conflict over F1
  attempt 3 of 3
  why you decide: Maximum auto-resolution attempts reached; user intervention required.
  the coach's finding: refuses never
  the player disputes it: the burst is counted
    with this evidence: test burst
  the coach upholds it: the test is hollow
  the tie-breaker gave no decision
  answered: a directive at 2026-11-22T05:00:00.000Z
    directive:
      count
      from 1
    notes: sure

Conflict over F2
  attempt 3 of 3`);
});

test("each conflict of the reason has its line, and a critical finding cannot be overlooked", () => {
	const shown = (paint: Paint): string =>
		renderItem(
			conflictItem([], {
				context: {
					conflicts: [
						{ finding: "F1", attempt: 1, escalation_reason: "a\nb" },
						{ finding: "F2", attempt: 3, escalation_reason: "c" },
					],
					critical: [{ finding: "F3", issue: "key\u001b[2J" }],
				},
			}),
			paint,
		);
	expect(shown(noPaint)).toContain(`
Why you are asked
  Conflict about F1 (attempt 1): a b
  Conflict about F2 (attempt 3): c
  Critical: F3: key\\x1b[2J

Conflict over F1`);
	const toned: Paint = (tone, text) => (tone === "bad" ? `<${text}>` : text);
	expect(shown(toned)).toContain("\n  <Critical: F3: key\\x1b[2J>\n");
});

test("what a tie-breaker said is shown, and an attempt after the third counts on", () => {
	const said = {
		finding: "F1",
		attempt: 4,
		escalation_reason: "critical",
		tie_breaker: { decision: "PASS", rationale: "the test shows it" },
	} as const;
	const item = conflictItem([], { context: { conflicts: [said] } });
	expect(renderConflict(item, "F1", noPaint)).toBe(`
Conflict over F1
  attempt 4
  why you decide: critical
  the tie-breaker says PASS: the test shows it`);
	expect(renderConflict(item, "F2", noPaint)).toBe("");
});

test("of several conflicts each has its own commands, of one that waits no name is needed", () => {
	expect(renderItem(conflictItem(["F1", "F2"]), noPaint)).toContain(`Your choices
  spar answer H1 --finding F1 --take player
      F1 is overruled, and where nothing else blocks the work goes on to the gate without another player turn; other open blocking findings go back to the player.
  spar answer H1 --finding F1 --take coach
      F1 stands and binds the player, which can dispute it no more and gets one more turn, even at the limit.
  spar answer H1 --finding F1 --directive "TEXT"
      F1 stays open; player and coach get your words, and the player gets one more turn, even at the limit.
  spar answer H1 --finding F2 --take player
`);
	const half = renderItem(conflictItem(["F1", "F2"], { parts: { F1: part } }), noPaint);
	expect(half).toContain("spar answer H1 --take player\n      F2 is overruled");
	expect(half).not.toContain("--finding");
	expect(half).not.toContain("F1 is overruled");
});

test("what agents said of a conflict moves no cursor", () => {
	const reviewer = { issue: "\u001b[2J", rationale: "" };
	const item = conflictItem([], { context: { conflicts: [{ finding: "F1", reviewer }] } });
	expect(renderItem(item, noPaint)).not.toContain("\u001b");
});

test("the JSON has the answers by finding", () => {
	expect(itemDetailJson(humanItem()).answers).toEqual({});
	expect(itemDetailJson(conflictItem(["F1", "F2"], { parts: { F1: part } })).answers).toEqual({
		F1: {
			choice: "directive",
			directive: "count\nfrom 1",
			notes: "sure",
			answered_at: "2026-11-22T05:00:00.000Z",
		},
	});
});
