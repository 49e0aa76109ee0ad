import { expect, test } from "vitest";
import type { TaskReport } from "../app/sparring.ts";
import { runReport, taskReport } from "./fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { renderReport } from "./render-report.ts";

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
	});
	const shown = (...unclaimed: readonly ReturnType<typeof waits>[]) =>
		renderReport({ ...runReport("running"), unclaimed }, noPaint);
	expect(shown(waits(["gpu", "mac"]))).toContain(
		"a: it waits: no worker with the tags gpu,mac runs. Start one: spar worker --tags gpu,mac",
	);
	expect(shown(waits([]))).toContain("a: it waits: no worker runs. Start one: spar worker");
	expect(shown(waits([], true))).not.toContain("it waits");
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
