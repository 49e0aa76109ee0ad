import { expect, test } from "vitest";
import { tellingLines } from "./telling-lines.ts";

test("a check without a value is told by the lines that speak of an error, else by its last one", () => {
	const told = (outputTail: string): string[] => tellingLines({ status: "absent", outputTail });
	expect(told("collecting\n/usr/bin/python: No module named pytest\nbye\n")).toEqual([
		"/usr/bin/python: No module named pytest",
	]);
	expect(told("error: a\nERROR b\n  fatal: c\n\n")).toEqual(["ERROR b", "fatal: c"]);
	expect(told("first\nlast\n\n")).toEqual(["last"]);
	expect(told("$ npm ci || echo failed\nnpm error 404\n")).toEqual(["npm error 404"]);
	expect(told(" \n")).toEqual([]);
	expect(told(`error ${"x".repeat(300)}`)[0]).toHaveLength(203);
});

test("the cause stands before what follows from it, and what says nothing is left out", () => {
	const told = (outputTail: string): string[] => tellingLines({ status: "error", outputTail });
	expect(
		told(`npm warn Unknown user config "nodedir"
sh: 1: vitest: not found
npm error Lifecycle script "test" failed with error:
npm error A complete log of this run can be found in: /x`),
	).toEqual(["sh: 1: vitest: not found"]);
	expect(
		told("Error: Cannot find package 'a'\n  at load (node:x:3:4)\n'test failed'\n}\n"),
	).toEqual(["Error: Cannot find package 'a'"]);
	expect(told("ran\n======= 1 error in 0.2s =======\n!!! Interrupted: 1 error !!!\n")).toEqual([
		"ran",
	]);
	expect(told("}\nℹ tests 0\n# duration_ms 8.9\nOK\n")).toEqual([]);
});

test("what failed cases say comes before the diagnostics that a runner prints of them", () => {
	const printed = "not ok 1 - a\n  error: |-\n    Expected\n  operator: 'strictEqual'\n";
	const failed = (id: string, message: string) => ({ id, status: "failed", message }) as const;
	const told = (...cases: readonly ReturnType<typeof failed>[]): string[] =>
		tellingLines({ status: "absent", outputTail: printed, cases });
	const values = "Expected values to be strictly equal:\n\n2 !== 4\n";
	expect(told(failed("a", values), failed("b", "timed out\nat x.js:1"))).toEqual([
		"Expected values to be strictly equal: 2 !== 4",
		"timed out",
	]);
	expect(
		tellingLines({ status: "absent", outputTail: "AssertionError [E]: a\n1 !== 2\n" }),
	).toEqual(["AssertionError [E]: a"]);
	const lost = "sh: 1: vitest: not found";
	expect(tellingLines({ status: "absent", outputTail: lost, cases: [failed("a", "b")] })).toEqual([
		lost,
	]);
});

test("a check with a value speaks for itself", () => {
	expect(tellingLines({ status: "fail", outputTail: "error: a" })).toEqual([]);
	const counts = { total: 2, passed: 1, failed: 1, skipped: 0, knownFailing: 0 };
	expect(tellingLines({ status: "fail", counts, outputTail: "error: a" })).toEqual([]);
	expect(tellingLines({ status: "pass", outputTail: "error: a" })).toEqual([]);
	expect(tellingLines({ status: "error", outputTail: "error: a" })).toEqual(["error: a"]);
});

test("a check whose exit code alone says that it failed is told by its first telling line and its last ones", () => {
	const told = (outputTail: string): string[] =>
		tellingLines({ status: "fail", counts: null, outputTail });
	expect(told("start\nerror: a\nerror: b\nfatal: c\nend\n")).toEqual([
		"error: a",
		"error: b",
		"fatal: c",
		"end",
	]);
	expect(told("src/a.js needs a semicolon\nsrc/b.js too\n")).toEqual([
		"src/a.js needs a semicolon",
		"src/b.js too",
	]);
	expect(told("fatal: one\n")).toEqual(["fatal: one"]);
});

const GREEN = { total: 1, passed: 1, failed: 0, skipped: 0, knownFailing: 0 };

test.each([
	[
		"jest's threshold of coverage",
		`PASS ./a.test.js
File      | % Stmts | % Lines |
----------|---------|---------|
Jest: "global" coverage threshold for lines (80%) not met: 50%
Test Suites: 1 passed, 1 total
Tests:       1 passed, 1 total
Snapshots:   0 total
Time:        0.3 s
Ran all test suites.
`,
		'Jest: "global" coverage threshold for lines (80%) not met: 50%',
	],
	[
		"vitest's threshold of coverage",
		`Test Files  1 passed (1)
      Tests  1 passed (1)
   Duration  200ms
ERROR: Coverage for lines (50%) does not meet global threshold (80%)
`,
		"ERROR: Coverage for lines (50%) does not meet global threshold (80%)",
	],
	[
		"pytest-cov",
		`FAIL Required test coverage of 80% not reached. Total coverage: 50.00%
============ 1 passed in 0.02s ============
`,
		"FAIL Required test coverage of 80% not reached. Total coverage: 50.00%",
	],
	[
		"a linter that speaks of no error",
		"ok 1 - adds\n# pass 1\n\nsrc/a.js\n  3:1  Unexpected console statement\n",
		"3:1  Unexpected console statement",
	],
])(
	"red by more than its tests, a command is told by its own last lines: %s",
	(_of, outputTail, line) => {
		const red = { status: "fail", counts: GREEN, cases: [], outputTail } as const;
		expect(tellingLines(red)).toContain(line);
	},
);

test("failed cases without names are told by the last lines too", () => {
	const counts = { ...GREEN, passed: 0, failed: 1 };
	const outputTail = "..F\n1) adds: expected 3, got 4\n3 examples, 1 failure\n";
	const red = { status: "fail", counts, outputTail } as const;
	expect(tellingLines({ ...red, cases: null })).toContain("1) adds: expected 3, got 4");
	expect(tellingLines({ ...red, cases: [{ id: "adds", status: "failed" }] })).toEqual([]);
});
