import { expect, test } from "vitest";
import { parseReport } from "../formats/parse-report.ts";
import { casesOf } from "../formats/reports/parsed-report.ts";

const suite = (...inner: string[]) =>
	`<testsuite name="s">${inner.map((each) => `<testcase classname="k" name="adds">${each}</testcase>`).join("")}</testsuite>`;

function statuses(text: string, exitCode: number): readonly string[] {
	const report = parseReport("junit", text);
	return report.kind === "cases" ? casesOf(report, exitCode).map(({ status }) => status) : [];
}

test("a case that passed when it was tried again passed, where the runner says so by its exit code", () => {
	expect(statuses(suite("<failure/>", ""), 0)).toEqual(["passed"]);
});

test("a case that failed beside another one of its name is not hidden by that, where the runner failed", () => {
	expect(statuses(suite("<failure/>", ""), 1)).toEqual(["failed"]);
	expect(statuses(suite("", "<failure/>"), 1)).toContain("failed");
});
