import { expect, test } from "vitest";
import type { RunReport } from "../app/sparring.ts";
import { runReport, spar, taskReport } from "./fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { renderReport } from "./render-report.ts";
import { renderTally } from "./render-tally.ts";

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

test("a run of many tasks names the next steps of those that need somebody, and one way for the rest", async () => {
	const all = Array.from({ length: 2_000 }, (_, nth) => [`t${nth}`, merged] as const);
	const waits = taskReport({ status: "paused_for_human", human_item: "H1", merged: false });
	const tasks = { ...Object.fromEntries(all), waits };
	const report = { ...runReport("paused_for_user_escalation"), tasks };
	const { out } = await spar(["status"], { sparring: { status: () => Promise.resolve(report) } });
	const steps = out.slice(out.indexOf("next:")).trimEnd().split("\n");
	expect(steps).toHaveLength(5);
	expect(steps.join("\n")).toContain("spar hil show H1");
	expect(steps.join("\n")).toContain("spar trace TASK --run r1");
});
