import type { TestCase } from "../evidence/evidence.ts";
import type { Suite } from "./suite.ts";
import { isNotLoaded, type TestRun } from "./test-run.ts";
import type { VerificationRequest } from "./verification.ts";

/** A run of the tests: cases by name, `true` for one that passed, a text for one that failed with it. */
export function aRun(
	cases: Readonly<Record<string, true | string>> = { works: true },
	part: Partial<TestRun> = {},
): TestRun {
	const all = Object.entries(cases).map(
		([id, said]): TestCase =>
			said === true ? { id, status: "passed" } : { id, status: "failed", message: said },
	);
	return {
		status: all.some(({ status }) => status === "failed") ? "fail" : "pass",
		problem: null,
		cases: all,
		notLoaded: all
			.filter(({ status }) => status === "failed")
			.filter(isNotLoaded)
			.map(({ id }) => id),
		namesPassed: true,
		ran: all.length,
		tail: "",
		outputPath: "out.log",
		ms: 1,
		...part,
	};
}

/** A run that says nothing. */
export const noRun = (problem: TestRun["problem"]): TestRun =>
	aRun({ "sh t.sh": "" }, { status: "none", problem });

export const aSuite = (part: Partial<Suite> = {}): Suite => ({
	id: "1-1",
	commit: "tests",
	files: ["test/t.sh"],
	run: "sh t.sh",
	spec: "s1",
	subtask: null,
	proof: null,
	...part,
});

export const aRequest = (part: Partial<VerificationRequest> = {}): VerificationRequest => ({
	run: "r1",
	task: { id: "limiter", description: "Build it.", acceptanceCriteria: ["it works"] },
	subtask: null,
	turn: 1,
	base: "c0",
	commit: "c1",
	verifier: "eve",
	spec: "s1",
	directive: null,
	suites: [],
	withdrawn: [],
	disputes: [],
	...part,
});
