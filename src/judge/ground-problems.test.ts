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

const LINT = { name: "lint", kind: "lint", run: "lint", timeoutMs: 1, baseline: "known" } as const;
const gated = (riskTier: "T0" | "T1") => ({
	gate: true,
	gatePolicy: { riskTier, requireCoverage: false, coverageThreshold: 1 },
});

/** Kinds of problems with a workflow of one lint check. */
function found(piece: Parameters<typeof evidence>[0], about: object): string[] {
	const workflow = { checks: [LINT], tasks: [], ...about } as unknown as Parameters<
		typeof problemsOf
	>[1];
	return problemsOf([evidence(piece)], workflow).map(({ kind }) => kind);
}

test("a red check that is judged by its exit code is told where the gate of a task asks for it", () => {
	const piece = { check: "lint", kind: "lint", status: "fail", exitCode: 1 } as const;
	expect(found(piece, { tasks: [gated("T1")] })).toEqual(["red"]);
	expect(found(piece, { tasks: [gated("T0")] })).toEqual([]);
	expect(found(piece, { tasks: [gated("T1")], waive: { lint: "old" } })).toEqual([]);
	const tolerated = [{ ...LINT, baseline: "tolerate" }];
	expect(found(piece, { tasks: [gated("T1")], checks: tolerated })).toEqual([]);
	const results = { fingerprints: ["a"], fresh: 1, weight: 1 };
	expect(found({ ...piece, results }, { tasks: [gated("T1")] })).toEqual([]);
});

test("an acceptance check that fails without a failing case is told with its first telling line and its last ones", () => {
	const passed = { ...counts, passed: 1, failed: 0 };
	const outputTail = "ok 1\nfatal: a\nerror: b\nnote\nerror: c\n";
	const reason = "exit code 128, although no test failed";
	const purpose = "baseline";
	const piece = {
		status: "fail",
		counts: passed,
		exitCode: 128,
		outputTail,
		reason,
		purpose,
	} as const;
	expect(baselineProblems([evidence(piece)])).toEqual([
		{
			kind: "red",
			check: "tests",
			isTests: false,
			why: reason,
			said: ["fatal: a", "error: b", "note", "error: c"],
		},
	]);
	expect(baselineProblems([evidence({ ...piece, counts: null })])).toMatchObject([
		{ kind: "red", isTests: true },
	]);
	// Known by name, a failing case stands in nobody's way; without names each must pass.
	const some = { ...counts, passed: 1 };
	expect(baselineProblems([evidence({ ...piece, counts: some, cases: null })])).toMatchObject([
		{ kind: "red", isTests: true },
		{ kind: "uncounted" },
	]);
	expect(baselineProblems([evidence({ ...piece, counts: some, cases: [] })])).toMatchObject([
		{ kind: "uncounted" },
	]);
});
