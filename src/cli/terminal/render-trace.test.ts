import { expect, test } from "vitest";
import type { TraceFile } from "../../drive/trace-file.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { runEvent } from "../fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { renderTrace } from "./render-trace.ts";

const trace = (events: readonly StoredEvent[], changes: Partial<TraceFile> = {}): string =>
	renderTrace(
		{
			schema_version: 1,
			run_id: "r1",
			task_id: "limiter",
			feature_id: null,
			status: "completed",
			turns: 1,
			verification_result: null,
			started_at: "2026-11-21T22:05:09.000Z",
			ended_at: "2026-11-21T22:06:09.000Z",
			agent_invocations: { dev: 1, rev: 1 },
			events,
			...changes,
		},
		noPaint,
	);

test("a task whose question is answered no longer waits in the heading of its trace", () => {
	const opened = runEvent("item-opened", { item: "H1", trigger: "loop_exhausted", reason: "r" });
	const answered = (status: string) =>
		runEvent("item-answered", { item: "H1", status, choice: "directive" });
	const heading = (...events: readonly StoredEvent[]) =>
		trace(events, { status: "paused_for_human", ended_at: null }).split("\n")[0];
	const waits = "task limiter of run r1: waiting for you";
	expect(heading(opened)).toBe(waits);
	expect(heading(opened, answered("ACKED"))).toBe(waits);
	expect(heading(opened, answered("RESOLVED"))).toBe("task limiter of run r1: answered");
	expect(heading(opened, answered("RESOLVED"), opened)).toBe(waits);
});

test("a trace tells turn by turn and node by node what happened, and why", () => {
	const player = { node: "player_turn" };
	const checks = { node: "validate_structure" };
	const coach = { node: "coach_turn" };
	const gate = { node: "policy_gate" };
	const call = { agent: "dev", role: "player", call: 1 } as const;
	const events = [
		runEvent(
			"task-started",
			{
				branch: "b",
				start_commit: "s",
				bound: 3,
				player: "dev",
				coach: "rev",
				feature_id: null,
				checkout: "/co/player",
			},
			{ turn: null },
		),
		runEvent("node-entered", { phase: "coach_validating" }, { turn: 0, node: "initialize" }),
		runEvent(
			"setup-ran",
			{ checkout: "player", status: "pass", ms: 900, reason: null },
			{ turn: 0, node: "initialize" },
		),
		runEvent("node-left", { ms: 1_000, passed_through: null }, { turn: 0, node: "initialize" }),
		runEvent("node-entered", { phase: "coach_validating" }, player),
		runEvent("agent-called", { ...call, conventions: ["AGENTS.md", "a/CLAUDE.md"] }, player),
		runEvent(
			"agent-answered",
			{ ...call, ms: 500, output_length: 12, transcript: "t.txt", usage: null },
			player,
		),
		runEvent("snapshot-taken", { commit: "c1", tree: "t1", changed: 2, empty: false }, player),
		runEvent(
			"player-reported",
			{
				files_modified: ["a.js", "b.js"],
				files_created: [],
				tests_written: ["t.js"],
				checks_passed: ["tests"],
				implementation_notes: "done",
				concerns: ["is it fast?"],
			},
			player,
		),
		runEvent(
			"claims-compared",
			{ honest: 0.75, discrepancies: ["a.js was not changed"], in_a_row: 2 },
			player,
		),
		runEvent("node-left", { ms: 600, passed_through: null }, player),
		runEvent("node-entered", { phase: "coach_validating" }, checks),
		runEvent(
			"check-ran",
			{
				check: "tests",
				kind: "acceptance",
				purpose: "turn",
				status: "pass",
				reason: null,
				tree: "t1",
				ms: 100,
				counts: { total: 1, passed: 1 },
			},
			checks,
		),
		runEvent(
			"integrity-checked",
			{ status: "pass", violations: [], notes: ["new file test/x"] },
			checks,
		),
		runEvent("node-left", { ms: 200, passed_through: null }, checks),
		runEvent("node-entered", { phase: "coach_validating" }, { node: "verify" }),
		runEvent("node-left", { ms: 0, passed_through: "not required" }, { node: "verify" }),
		runEvent("node-entered", { phase: "coach_validating" }, coach),
		runEvent(
			"finding-changed",
			{ finding: "F1", state: "open", severity: "major", issue: "no burst", blocking: true },
			coach,
		),
		runEvent(
			"turn-judged",
			{
				raw: "approve",
				effective: "feedback",
				reasons: ["F1 is open"],
				rationale: "nice",
				criteria: [
					{ criterion: "refuses", met: true, evidence: "ran\nit", tests: ["refuses", "bursts"] },
					{ criterion: "refills", met: false, evidence: null, tests: [] },
				],
				attempts: [{ what: "a burst of 0", command: "node try.js 0", outcome: "throws" }],
			},
			coach,
		),
		runEvent("node-left", { ms: 300, passed_through: null }, coach),
		runEvent("node-entered", { phase: "coach_validating" }, gate),
		runEvent("gate-evaluated", { verdict: "PASS", rule: "T0", risk_tier: "T0" }, gate),
		runEvent("turn-routed", { route: "feedback", reason: "F1" }, gate),
	];
	expect(trace(events)).toBe(`task limiter of run r1: completed
started 2026-11-21T22:05:09.000Z, ended 2026-11-21T22:06:09.000Z
turns: 1; agent calls: dev 1, rev 1
  started at s on b: player dev, coach rev, at most 3 turns
    checkout: /co/player

before turn 1
  initialize (1.0s)
    setup of the player checkout: pass (0.9s)

turn 1
  player_turn (0.6s)
    player dev is called, with conventions of the base: AGENTS.md; a/CLAUDE.md
    player dev answered (0.5s, cost unknown), 12 characters of output, transcript t.txt
    snapshot c1: 2 files changed, tree t1
    the player reports
      modified: a.js, b.js
      tests: t.js
      passed checks: tests
      notes: done
      unsure: is it fast?
    claims: 75 % borne out by the diff and Sparring's own runs, 2 false reports in a row
      - a.js was not changed
  validate_structure (0.2s)
    check tests (acceptance, turn): pass, 1 of 1 passed (0.1s)
    integrity: pass
      - new file test/x
  verify: passed through: not required
  coach_turn (0.3s)
    finding F1 open (major, blocking): no burst
    verdict: feedback (the coach said approve)
      - F1 is open
      rationale: nice
      met: refuses (ran it; tests: refuses, bursts)
      unmet: refills
      tried a burst of 0 (node try.js 0): throws
  policy_gate (not finished)
    gate T0 PASS: T0
    route: feedback: F1`);
});

test("a rejected report stands behind its call, and what is done for the start commit in the turn that does it", () => {
	const at = { turn: 1, node: "coach_turn" };
	const role = { role: "coach", agent: "rev" } as const;
	const told = { ...role, ms: 1, output_length: 1, transcript: null, usage: null };
	const lines = trace([
		runEvent("agent-answered", { ...told, call: 1 }, at),
		runEvent("agent-answered", { ...told, call: 2 }, at),
		runEvent("report-rejected", { ...role, call: 1, reason: "no JSON" }, at),
		runEvent("report-rejected", { ...role, call: 2, reason: "no decision" }, at),
		runEvent("setup-copied", { checkout: "base", ms: 1 }, { turn: 0, node: "policy_gate" }),
		runEvent("gate-evaluated", { verdict: "PASS", rule: "T0", risk_tier: "T0" }, at),
	])
		.split("\n")
		.map((line) => line.trim().replace(/ \(.*$|,.*$/, ""));
	expect(lines.slice(3).filter((line) => line !== "")).toEqual([
		"turn 1",
		"coach_turn",
		"coach rev answered",
		"report of coach rev",
		"coach rev answered",
		"report of coach rev",
		"policy_gate",
		"setup of the base checkout: copied",
		"coach_turn",
		"gate T0 PASS: T0",
	]);
});

test("every other event is told too", () => {
	const agent = { role: "coach", agent: "rev", call: 2 } as const;
	const text = trace(
		[
			runEvent(
				"run-started",
				{ workflow: "w", base: "main", base_commit: "abc", branch: "b", tasks: [] },
				{ task: null, turn: null },
			),
			runEvent("run-resumed", { owner: "host:1" }),
			runEvent("run-ended", { status: "failed" }),
			runEvent("base-merged", { base: "main", into: "work", commit: "abc" }),
			runEvent("run-landed", { branch: "main", commit: "abc" }),
			runEvent("landing-refused", { branch: "main", reason: "it conflicts" }),
			runEvent("task-reopened", { bound: 5 }),
			runEvent("task-stopped", { code: "git-failed", message: "git ended", hint: "Resume." }),
			runEvent("task-stopped", { code: null, message: "a bug", hint: null }),
			runEvent("task-ended", {
				status: "failed",
				reason: "no",
				turns: 2,
				merged: false,
				flags: ["environment"],
				checkout: "/co/player",
			}),
			runEvent("task-ended", {
				status: "completed",
				reason: null,
				turns: 2,
				merged: true,
				flags: [],
				checkout: null,
			}),
			runEvent("agent-answered", {
				...agent,
				ms: 1,
				output_length: 12,
				transcript: null,
				usage: null,
			}),
			runEvent("agent-failed", {
				...agent,
				failure: "timeout",
				message: "30m",
				ms: 1_000,
				output_length: 12,
				usage: null,
			}),
			runEvent("report-rejected", { ...agent, reason: "no JSON" }),
			runEvent("snapshot-taken", { commit: "c", tree: "t", changed: 0, empty: true }),
			runEvent("turn-judged", { raw: null, effective: null, reasons: [], rationale: "" }),
			runEvent("turn-judged", {
				raw: "approve",
				effective: "approve",
				reasons: [],
				rationale: "",
				attempts: [],
			}),
			runEvent("finding-changed", {
				finding: "F1",
				state: "fixed",
				severity: "minor",
				issue: "",
				blocking: false,
			}),
			runEvent("finding-changed", {
				finding: "F1",
				state: "disputed",
				severity: "major",
				issue: "no burst",
				blocking: true,
				argument: { by: "player", text: "it\ndoes", evidence: "npm test\u001b[2J" },
			}),
			runEvent("finding-changed", {
				finding: "F1",
				state: "upheld",
				severity: "major",
				issue: "",
				blocking: true,
				argument: { by: "tie_breaker", text: "", evidence: null },
			}),
			runEvent("finding-ignored", { finding: "F1", reason: "it was\u001b[2J settled" }),
			runEvent("dispute-ignored", { finding: "F1", reason: "no new evidence" }),
			runEvent("conflict-detected", { conflict: "c1", finding: "F1", attempt: 2 }),
			runEvent("conflict-resolved", {
				conflict: "c1",
				finding: "F1",
				attempt: 2,
				resolution: "AUTO",
				tie_breaker: "arbiter",
				decision: "PASS",
				rationale: "it does",
				escalation_reason: null,
			}),
			runEvent("orchestrator:conflict:escalation", {
				conflictId: "c1",
				taskId: "limiter",
				escalationReason: "no agreement",
			}),
			runEvent("PAUSED_FOR_USER_ESCALATION", { conflict: "c1", reason: "no agreement" }),
			runEvent("item-opened", { item: "H1", trigger: "conflict", reason: "stuck" }),
			runEvent("confidence-scored", {
				mode: "raw",
				score: 0.5,
				threshold: 0.8,
				advisory: null,
				metrics: [{ type: "lint_score", score: 0.5, weight: 1, reason: "lint: 1 new results" }],
				warnings: [],
			}),
			runEvent("subtask-completed", { subtask: "core", turn: 1 }),
			runEvent("seats-switched", { player: "rev", coach: "dev", after: 1 }),
			runEvent("review-decided", { decision: "feedback", rationale: "no tests" }),
			runEvent("review-decided", { decision: "approve", rationale: "" }),
			runEvent("person-notified", {
				item: "H1",
				target: "webhook",
				outcome: "failed",
				reason: "no answer",
			}),
			runEvent("item-answered", { item: "H1", status: "RESOLVED", choice: "continue" }),
			runEvent("item-answered", { item: "H1", status: "ACKED", choice: null }),
			runEvent("item-answered", {
				item: "H1",
				status: "RESOLVED",
				choice: "take_reviewer",
				findings: { F1: "take_reviewer" },
			}),
			runEvent("merge-forecast", { clean: true, conflicts: [] }),
			runEvent("merge-forecast", { clean: false, conflicts: ["a.js"] }),
			runEvent("merge-forecast", { clean: false, conflicts: ["a.js"], against: "cache" }),
			runEvent("merge-forecast", { clean: false, conflicts: ["a.js"], against: null }),
			runEvent("tests-left-out", { files: ["b.test.js"] }),
			runEvent("merge-refused", { reason: "red", attempt: 1 }),
			runEvent("task-merged", { commit: "m", into: "b", onto: "tip", turn_commit: "turn" }),
		],
		{ started_at: null, ended_at: null, verification_result: null, agent_invocations: {} },
	);
	expect(
		text
			.split("\n")
			.slice(1)
			.map((line) => line.trim()),
	).toEqual([
		"not started",
		"turns: 1; agent calls: none",
		"run of w on main at abc, branch b",
		"",
		"turn 1",
		"resumed by host:1",
		"run r1: failed",
		"merged main into work at abc",
		"landed on main at abc",
		"not landed on main: it conflicts",
		"reopened, at most 5 turns",
		"stopped by an error (git-failed): git ended",
		"Resume.",
		"stopped by an error: a bug",
		"failed after 2 turns, not merged, flags environment: no",
		"its checkout was kept: /co/player",
		"completed after 2 turns, merged",
		"coach rev answered (0.0s, cost unknown), 12 characters of output",
		"report of coach rev (call 2) rejected: no JSON",
		"coach rev failed, timeout (1.0s, cost unknown), 12 characters of output: 30m",
		"snapshot c: nothing changed, tree t",
		"verdict: none",
		"verdict: approve, without any attempt to break the work",
		"finding F1 fixed (minor)",
		"finding F1 disputed (major, blocking): no burst",
		"player: it does",
		"evidence: npm test\\x1b[2J",
		"finding F1 upheld (major, blocking)",
		"F1 is raised again and stays closed: it was\\x1b[2J settled",
		"the dispute of F1 has no effect: no new evidence",
		"conflict c1 over F1, attempt 2",
		"conflict over F1, attempt 2: PASS, the tie-breaker arbiter takes the player's side: it does",
		"conflict c1 goes to a person: no agreement",
		"paused for a person to settle conflict c1: no agreement",
		"a person is asked: H1 (conflict): stuck",
		"confidence 0.50 (raw, threshold 0.80 not met): lint_score 0.50",
		"- lint_score: lint: 1 new results",
		"subtask core is done",
		"seats change after turn 1: player rev, coach dev",
		"review: feedback",
		"rationale: no tests",
		"review: approve",
		"not told of H1: webhook failed: no answer",
		"H1 answered (yes)",
		"H1 seen",
		"H1 answered (the coach's side): F1 the coach's side",
		"merge forecast: clean",
		"merge forecast: conflicts",
		"- a.js",
		"would not merge with the present work of cache",
		"- a.js",
		"would not merge with what others have merged",
		"- a.js",
		"the verifier's tests do not land where another task's stand",
		"- b.test.js",
		"merge attempt 1 refused: red",
		"merged into b at m: turn's commit turn onto tip",
	]);
});

test("several conflicts of a reason are a list", () => {
	const opened = runEvent("item-opened", {
		item: "H1",
		trigger: "conflict",
		reason: "in words",
		conflicts: {
			kind: "conflicts",
			conflicts: [
				{ finding: "F1", attempt: 1, why: "a" },
				{ finding: "F2", attempt: 3, why: "b" },
			],
			critical: [],
		},
	});
	expect(trace([opened])).toMatch(
		/asked: H1 \(conflict\)\n {4}- Conflict about F1 \(attempt 1\): a\n {4}- Conflict about F2 /,
	);
});

test("a task that still runs has a start and no end", () => {
	expect(trace([], { ended_at: null })).toContain("started 2026-11-21T22:05:09.000Z\n");
});
