import { expect, test } from "vitest";
import { runReport, taskReport } from "../fakes.contract.ts";
import { exitCodeOfReport } from "./exit-code.ts";

test("a completed run gives 0", () => {
	expect(exitCodeOfReport(runReport())).toBe(0);
});

test("a run that waits for a person gives 3, also when another task failed", () => {
	const report = runReport("paused_for_user_escalation", { status: "failed" });
	expect(exitCodeOfReport(report)).toBe(3);
});

test("waiting comes before cancelled, cancelled before failed", () => {
	const tasks = { a: taskReport({ status: "failed" }), b: taskReport({ status: "cancelled" }) };
	expect(exitCodeOfReport({ ...runReport("failed"), tasks })).toBe(4);
	const waiting = { ...tasks, c: taskReport({ status: "paused_for_human" }) };
	expect(exitCodeOfReport({ ...runReport("cancelled"), tasks: waiting })).toBe(3);
	expect(exitCodeOfReport(runReport("cancelled"))).toBe(4);
});

test("a task that failed for a spent budget gives 4: after waiting, before other failures", () => {
	const spent = taskReport({ status: "failed", flags: ["budget"] });
	const tasks = { a: taskReport({ status: "failed" }), b: spent };
	expect(exitCodeOfReport({ ...runReport("failed"), tasks })).toBe(4);
	const waiting = { ...tasks, c: taskReport({ status: "paused_for_human" }) };
	expect(exitCodeOfReport({ ...runReport("failed"), tasks: waiting })).toBe(3);
	const other = runReport("failed", { status: "failed", flags: ["environment"] });
	expect(exitCodeOfReport(other)).toBe(1);
});

test("a failed or blocked task gives 1, as does a run that did not complete", () => {
	expect(exitCodeOfReport(runReport("completed", { status: "failed" }))).toBe(1);
	expect(exitCodeOfReport(runReport("completed", { status: "blocked" }))).toBe(1);
	expect(exitCodeOfReport(runReport("failed"))).toBe(1);
	expect(exitCodeOfReport(runReport("running"))).toBe(1);
});
