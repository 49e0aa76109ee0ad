import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { runReport, taskReport } from "../fakes.contract.ts";
import { exitCodeOfError, exitCodeOfLoading, exitCodeOfReport } from "./exit-code.ts";

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

test("a fault gives 2, anything else is a bug and gives 70", () => {
	expect(exitCodeOfError(new Fault("x", { code: "run-held" }))).toBe(2);
	expect(exitCodeOfError(new TypeError("x"))).toBe(70);
	expect(exitCodeOfError("x")).toBe(70);
});

test("a workflow with errors gives 2", () => {
	const error = { file: "f", line: 1, column: 1, message: "m" };
	expect(exitCodeOfLoading({ workflow: null, errors: [error], warnings: [] })).toBe(2);
	expect(exitCodeOfLoading({ workflow: null, errors: [], warnings: [] })).toBe(2);
});
