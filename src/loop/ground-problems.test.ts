import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { baselineProblems as problemsOf } from "./ground-problems.ts";

const baselineProblems = (evidence: Parameters<typeof problemsOf>[0]) =>
	problemsOf(evidence, { checks: [], tasks: [] });

const counts = { total: 1, passed: 0, failed: 1, skipped: 0, knownFailing: 0 };
const red = { status: "fail", counts, exitCode: 1 } as const;

test("cases that all fail are told by the package that is missing, else by what the first of them say", () => {
	const missing = "Error: Cannot find package 'left-pad' imported from /a\n'test failed'\n}\n";
	const details = ["a > b: [Error: test failed] {\n code: 1 }"];
	expect(baselineProblems([evidence({ ...red, details, outputTail: missing })])).toEqual([
		{
			kind: "all_fail",
			check: "tests",
			cases: 1,
			said: ["Error: Cannot find package 'left-pad' imported from /a"],
			packages: ["left-pad"],
		},
	]);
	expect(baselineProblems([evidence({ ...red, details, outputTail: "}" })])).toMatchObject([
		{ said: ["a > b: [Error: test failed] {"], packages: [] },
	]);
});

test("an acceptance check that shows nothing is told of, and another one is not", () => {
	const silent = { status: "absent", reason: "no results", outputTail: "", exitCode: 0 } as const;
	expect(baselineProblems([evidence(silent), evidence({ ...silent, kind: "coverage" })])).toEqual([
		{ kind: "unclear", check: "tests", why: "no results", said: [] },
	]);
});

test("a check that passes without its program shows nothing", () => {
	const outputTail = "sh: 1: pytest: not found\n";
	expect(baselineProblems([evidence({ kind: "lint", status: "pass", outputTail })])).toEqual([
		{ kind: "unclear", check: "tests", why: "it passes all the same", said: [outputTail.trim()] },
	]);
});
