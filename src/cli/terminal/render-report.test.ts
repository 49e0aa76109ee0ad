import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { RunReport, TaskReport } from "../../view/report.ts";
import { renderCallUsage, renderKnownCost } from "../../words/evidence-text.ts";
import {
	runEvent,
	runReport,
	spar,
	suiteWork,
	taskReport,
	usageReport,
} from "../fakes.contract.ts";
import { noPaint } from "./paint.ts";
import {
	renderBudget,
	renderCost,
	renderReport,
	renderTally,
	renderUsage,
} from "./render-report.ts";
import { renderLine } from "./story-layout.ts";

/** Tests of a verifier that two calls wrote. */
const verified = (cost_usd: number | null) =>
	({
		verdict: "passed",
		required: true,
		reasons: [],
		tests: [],
		run: "npm test",
		output_path: null,
		commit: "c1",
		attempts: 0,
		usage: { calls: 2, cost_usd },
	}) as const;

test("runs of tests and setup are told with what was saved, and nothing where neither ran", () => {
	const shown = (changes: Parameters<typeof suiteWork>[0]) =>
		renderReport({ ...runReport(), suite_work: suiteWork(changes) }, noPaint)
			.split("\n")
			.filter((line) => line.startsWith("ran: "));
	expect(shown({})).toEqual([]);
	expect(shown({ suite_runs: 3, suite_runs_saved: 1, setups: 1 })).toEqual([
		"ran: tests 3 times, 1 saved; setup once",
	]);
	expect(shown({ setups_saved: 2 })).toEqual(["ran: setup 0 times, 2 saved"]);
});

test("what verification cost is told where somebody verified", () => {
	const shown = (task: Parameters<typeof taskReport>[0]) =>
		renderReport({ ...runReport(), tasks: { a: taskReport(task) } }, noPaint);
	expect(shown({ verification_result: verified(null) })).toContain("2 calls, cost unknown");
	const { usage: _, ...skipped } = verified(0);
	expect(shown({ verification_result: skipped })).not.toContain("verification:");
});

test("what is said of a task follows together: reason, warnings, checklist, concerns, checkout", () => {
	const a = taskReport({
		status: "failed",
		failure_reason: "Max turns (2) reached\nwithout approval",
		confidence_warnings: ["lint_score has no value and counts as 0.0: there is no lint check"],
		checklist: [{ item: "the demo runs", status: "fail", reason: "exit code 1" }],
		concerns: ["is it slow?"],
		false_claims: ["b.js: reported as modified, but not in the diff"],
		verification_result: verified(0.125),
		checkout: "/co/a/player",
		flags: ["unchecked"],
	});
	const b = taskReport({ failure_reason: "blocked by a" });
	const [, , , ...notes] = renderReport({ ...runReport(), tasks: { a, b } }, noPaint).split("\n");
	expect(notes.slice(1, 11)).toEqual([
		"a: Max turns (2) reached without approval",
		"a: lint_score has no value and counts as 0.0: there is no lint check",
		"a: checklist: 0 of 1 passed (counts in the score only)",
		"  fail the demo runs: exit code 1",
		"a: false claim: b.js: reported as modified, but not in the diff",
		"a: the player is unsure: is it slow?",
		"a: verification: 2 calls, $0.13",
		"a: its checkout is kept: /co/a/player",
		"a: nothing was tested: the workflow has no acceptance check",
		"b: blocked by a",
	]);
});

test("a column in which no task has anything to say is left out, and a run without tasks has no table", () => {
	const [, heading] = renderReport(runReport(), noPaint).split("\n");
	expect(heading).not.toContain("feature");
	const labelled = renderReport(runReport("running", { feature_id: "FEAT-7" }), noPaint);
	expect(labelled.split("\n")[1]).toContain("feature");
	expect(labelled).toContain("running (no process works on it)");
	expect(renderReport({ ...runReport(), tasks: {} }, noPaint)).not.toContain("branch");
});

test("a run whose question is answered waits for nobody: heading, table and count say so", () => {
	const answered = taskReport({
		status: "paused_for_human",
		human_item: "H1",
		human_item_answered: true,
		merged: false,
	});
	const report = runReport("paused_for_user_escalation");
	const shown = renderReport({ ...report, tasks: { a: answered, b: taskReport() } }, noPaint);
	expect(shown).toContain("on main: answered (spar resume goes on)");
	expect(shown).toMatch(/^a +answered/mu);
	expect(shown).toContain("tasks: 1 merged, 1 answered");
	expect(shown).not.toContain("waiting for you");
});

test("a task that waits says for what, and shows no gate that passed", () => {
	const asked = {
		status: "paused_for_human",
		human_item: "H1",
		human_headline: "turn limit: Max turns (1) reached without approval",
	} as const;
	const shown = renderReport(runReport("paused_for_user_escalation", asked), noPaint);
	expect(shown).toContain("limiter: turn limit: Max turns (1) reached without approval");
	expect(shown).not.toContain("PASS");
	const refused = { ...asked, gate: { risk_tier: "T1", verdict: "FAIL" } } as const;
	expect(renderReport(runReport("paused_for_user_escalation", refused), noPaint)).toContain(
		"T1 FAIL",
	);
});

test("the checkout of a task that runs is no news", () => {
	const report = runReport("running", { status: "running", checkout: "/co/a/player" });
	expect(renderReport(report, noPaint)).not.toContain("/co/a/player");
});

test("what became of mutants is a line, with the way to the survivors", () => {
	const note = (more: object): string => {
		const counts = { detected: 3, undetected: 1, pending: 0, survivors: [] };
		const mutation = {
			check: "mutation:built-in",
			status: "pass",
			reason: null,
			...counts,
			...more,
		};
		const a = taskReport({ mutation: mutation as NonNullable<TaskReport["mutation"]> });
		const [line] =
			renderReport({ ...runReport(), tasks: { a } }, noPaint).match(/^a: .*mut.*$/m) ?? [];
		return line ?? "";
	};
	expect(note({})).toBe(
		"a: 3 of 4 mutants of the changed lines detected, 1 survived: spar trace a names them",
	);
	expect(note({ undetected: 0, pending: 2 })).toBe(
		"a: 3 of 3 mutants of the changed lines detected, 0 survived, 2 not run in time",
	);
	expect(note({ status: "absent", reason: "no changed line can be mutated" })).toBe(
		"a: mutation:built-in is absent: no changed line can be mutated",
	);
});

test("a task for which no worker runs is named with the tags that it needs, one that waits its turn is not", () => {
	const waits = (tags: readonly string[], has_worker = false) => ({
		task: "a",
		tags,
		has_worker,
		unfit: [],
	});
	const shown = (...unclaimed: RunReport["unclaimed"]) =>
		renderReport({ ...runReport("running"), unclaimed }, noPaint);
	expect(shown(waits(["gpu", "mac"]))).toContain(
		"a: it waits: no worker with the tags gpu,mac runs. Start one: spar worker --tags gpu,mac",
	);
	expect(shown(waits([]))).toContain("a: it waits: no worker runs. Start one: spar worker");
	expect(shown(waits([], true))).not.toContain("it waits");
	const unfit = [{ machine: "one", why: "agent dev needs the program claude" }];
	expect(shown({ ...waits([]), unfit })).toContain(
		"a: it waits: no worker that runs can do it: one: agent dev needs the program claude",
	);
});

test("tasks that only max_parallel keeps waiting are counted", () => {
	const shown = (...held_back: string[]) =>
		renderReport({ ...runReport("running"), held_back }, noPaint);
	expect(shown("a", "b")).toContain(
		"2 tasks are ready and wait for a place: max_parallel of the run is the limit",
	);
	expect(shown("a")).toContain("1 task is ready and waits for a place");
	expect(shown()).not.toContain("max_parallel");
});

test("a task that an error stopped is named with the error, what helps and the way on", () => {
	const stopped = [
		{ task: "a", code: "git-failed", message: "the disk is full", hint: "Free some space." },
		{ task: "b", code: null, message: "a bug", hint: null },
	];
	const shown = renderReport({ ...runReport("running"), stopped }, noPaint);
	expect(shown).toContain("a: stopped: the disk is full. Free some space.\n");
	expect(shown).toContain("b: stopped: a bug.\nOnce the cause is gone: spar resume r1");
	expect(renderReport(runReport("running"), noPaint)).not.toContain("stopped");
});

const merged = taskReport();
const failed = taskReport({
	status: "failed",
	merged: false,
	failure_reason: "Max turns (2) reached without approval",
});
const blocked = (task: string, through: string | null = null) =>
	taskReport({
		status: "blocked",
		merged: false,
		turns: 0,
		failure_reason: "depends on something",
		blocked_by: { task, through },
	});

const linesOf = (tasks: RunReport["tasks"]): string[] =>
	renderReport({ ...runReport("failed"), tasks }, noPaint).split("\n");

test("a blocked task says what it depends on, and the first cause through a chain", () => {
	const lines = linesOf({ a: failed, b: blocked("a"), c: blocked("a", "b") });
	const why = "a, which failed (Max turns (2) reached without approval)";
	expect(lines).toContain(`b: blocked: depends on ${why}`);
	expect(lines).toContain(`c: blocked: depends on b, which is blocked by ${why}`);
	expect(lines.join("\n")).not.toContain("depends on something");
});

test("a cause that was cancelled, or completed and was not merged, is told as such", () => {
	const cancelled = taskReport({ status: "cancelled", merged: false });
	const kept = taskReport({ merged: false });
	expect(linesOf({ a: cancelled, b: blocked("a") })).toContain(
		"b: blocked: depends on a, which was cancelled",
	);
	expect(linesOf({ a: kept, b: blocked("a") })).toContain(
		"b: blocked: depends on a, which completed but was not merged",
	);
});

test("a run of several tasks is counted, with what blocks the blocked ones", () => {
	const more = { x: merged, y: merged, z: merged };
	expect(renderTally({ ...more, a: failed, b: blocked("a"), c: blocked("a", "b") })).toBe(
		"3 merged, 1 failed, 2 blocked by it",
	);
	expect(renderTally({ a: failed, d: failed, b: blocked("a") })).toBe("2 failed, 1 blocked by a");
	const two = { a: failed, b: blocked("a"), d: failed, e: blocked("d") };
	expect(renderTally(two)).toBe("2 failed, 2 blocked by a, d");
	const many = Object.fromEntries(
		["a", "b", "c", "d"].flatMap((id) => [
			[id, failed],
			[`${id}2`, blocked(id)],
		]),
	);
	expect(renderTally(many)).toBe("4 failed, 4 blocked");
	expect(renderTally({ a: merged })).toBe("");
});

test("a count has a word for every status", () => {
	const of = (status: "pending" | "running" | "needs_rework" | "paused_for_human" | "cancelled") =>
		taskReport({ status, merged: false });
	const tasks = {
		a: of("pending"),
		b: of("running"),
		c: of("needs_rework"),
		d: of("paused_for_human"),
		e: of("cancelled"),
		f: taskReport({ merged: false }),
	};
	expect(renderTally(tasks)).toBe(
		"1 completed, 1 cancelled, 1 waiting for you, 1 to do, 2 in work",
	);
});

test("a run that its preflight stopped says so, what was in the way, and what to do", async () => {
	const problem = {
		...({ kind: "check", check: "tests", reason: "exit code 127" } as const),
		said: ["sh: 1: jest: not found"],
	};
	const report = {
		...runReport("running", { status: "running", turns: 0, merged: false }),
		preflight_stopped: { task: "limiter", problems: [problem] },
	};
	const { out } = await spar(["status"], { sparring: { status: () => Promise.resolve(report) } });
	expect(out).toContain("run r1 of demo on main: stopped before its first call\n");
	expect(out).toContain(
		'limiter: in the way: check tests: "sh: 1: jest: not found" (exit code 127)\n',
	);
	expect(out).toMatch(/spar resume r1 +once the cause is gone\n/);
	expect(out).toMatch(/spar run +after a commit, or a change of the workflow file\n/);
	expect(out).toMatch(/spar resume r1 --anyway +go on as it is\n/);
	expect(out).not.toContain("no process works on it");
});

thorough(
	"a run of many tasks names the next steps of those that need somebody, and one way for the rest",
	async () => {
		const all = Array.from({ length: 2_000 }, (_, nth) => [`t${nth}`, merged] as const);
		const waits = taskReport({ status: "paused_for_human", human_item: "H1", merged: false });
		const tasks = { ...Object.fromEntries(all), waits };
		const report = { ...runReport("paused_for_user_escalation"), tasks };
		const { out } = await spar(["status"], { sparring: { status: () => Promise.resolve(report) } });
		const steps = out.slice(out.indexOf("next:")).trimEnd().split("\n");
		expect(steps).toHaveLength(5);
		expect(steps.join("\n")).toContain("spar questions H1");
		expect(steps.join("\n")).toContain("spar trace TASK --run r1");
	},
);

const USED = usageReport({
	calls: 12,
	cost_usd: 0.42,
	unknown_cost_calls: 3,
	ms: 245_000,
	input_tokens: 1200,
	output_tokens: null,
});

test("cost is said plainly, and what is unknown is never zero", () => {
	expect(renderCost(USED)).toBe("$0.42, 3 calls of unknown cost");
	expect(renderCost({ ...USED, unknown_cost_calls: 1 })).toBe("$0.42, 1 call of unknown cost");
	expect(renderCost({ ...USED, unknown_cost_calls: 0 })).toBe("$0.42");
	expect(renderCost({ ...USED, cost_usd: null })).toBe("unknown");
	expect(renderCost(usageReport())).toBe("");
});

test("usage is one line with calls, time, cost and tokens", () => {
	expect(renderUsage(USED)).toBe(
		"12 calls, 4m 5s; $0.42, 3 calls of unknown cost; 1200 tokens in, ? out",
	);
	expect(renderUsage(usageReport({ calls: 1, ms: 900 }))).toBe("1 call, 0.9s; cost unknown");
	expect(renderUsage(usageReport({ ms: 900 }))).toBe("");
});

test("a budget names limit and use of what it limits", () => {
	const wall = { limit_ms: 14_400_000, spent_ms: 245_000 };
	expect(renderBudget({ usd: { limit: 10, spent: 0.42 }, wall })).toBe(
		"$0.42 of $10.00, 4m 5s of 4h 0m",
	);
	expect(renderBudget({ usd: { limit: 10, spent: null }, wall: null })).toBe(
		"no known cost of $10.00",
	);
});

test("a call shows the model that answered and its cost", () => {
	const usage = { inputTokens: 5, outputTokens: 1, costUsd: 0.0123, model: "some-model" };
	expect(renderCallUsage(usage)).toBe(", some-model, $0.0123");
	expect(renderCallUsage({ ...usage, costUsd: null })).toBe(", some-model, cost unknown");
	for (const odd of [null, undefined, "x", { model: 5, costUsd: "much" }])
		expect(renderCallUsage(odd)).toBe(", cost unknown");
	expect(renderCallUsage({ model: "a\u001b[2J" })).not.toContain("\u001b");
	expect([renderKnownCost(usage), renderKnownCost({ costUsd: null }), renderKnownCost(7)]).toEqual([
		", $0.0123",
		"",
		"",
	]);
});

test("a report shows the cost of each task and run, and the budgets", () => {
	const budget = { usd: { limit: 1, spent: 0.42 }, wall: null };
	const tasks = { limiter: taskReport({ usage: USED, budget }), docs: taskReport() };
	const text = renderReport({ ...runReport(), usage: USED, budget, tasks }, noPaint);
	expect(text).toMatch(/branch +cost\n/);
	expect(text).toMatch(/limiter .* \$0\.42, 3 calls of unknown cost\n/);
	expect(text).toContain(`used: ${renderUsage(USED)}`);
	expect(text).toContain("budget: $0.42 of $1.00\nbudget of limiter: $0.42 of $1.00");
	expect(renderReport(runReport(), noPaint)).not.toMatch(/cost|used:|budget/);
});

test("a run tells of a budget that runs out, and of what was added to it", () => {
	const warning = { scope: "run", limit: 10, spent: 8.2, unknown_cost_calls: 1 } as const;
	const line = (kind: "usd" | "wall") =>
		renderLine(runEvent("budget-warned", { ...warning, kind }, { task: null }), noPaint);
	expect(line("usd")).toBe(
		"82 % of the budget of the run is spent: $8.20 of $10.00; 1 call of unknown cost is not in it",
	);
	expect(line("wall")).toBe("82 % of the budget of the run is spent: 0.0s of 0.0s");
	const answered = runEvent("item-answered", {
		item: "H1",
		status: "RESOLVED",
		choice: "continue",
		added: { scope: "task", usd: 5, wall_ms: 60_000 },
	});
	expect(renderLine(answered, noPaint)).toContain(
		"H1 answered (yes), added to the budget of the task: $5.00 and 1m 0s",
	);
});
