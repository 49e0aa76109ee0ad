import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { TestCounts } from "../evidence/evidence.ts";
import {
	baselineStand,
	casesAllFailing,
	holdsForGood,
	missingPackages,
	saysWatching,
} from "./baseline-stand.ts";

const counts = (passed: number, failed: number): TestCounts => ({
	total: passed + failed,
	passed,
	failed,
	skipped: 0,
	knownFailing: 0,
});

const absent = (outputTail: string, exitCode = 1) =>
	evidence({ status: "absent", reason: "no results", outputTail, exitCode });

test.each([
	evidence(),
	evidence({ status: "fail", counts: counts(0, 2), exitCode: 1 }),
	// A test of what is to be written names what is not there yet.
	evidence({ status: "fail", counts: counts(0, 1), outputTail: "Cannot find module 'limiter'" }),
	evidence({ kind: "lint", status: "fail", exitCode: 1, outputTail: "a.js: not found\n" }),
])("a check with a value has told something", (piece) => {
	expect(baselineStand(piece)).toBe("told");
});

test.each([
	evidence({ status: "error", exitCode: 127 }),
	evidence({ status: "error", exitCode: 126 }),
	evidence({ status: "error", exitCode: null, started: false }),
	absent("sh: 1: vitest: not found\n"),
	absent("/bin/sh: vitest: command not found\n"),
	absent("check.sh: line 3: pytest: command not found\n"),
	absent("make: *** [Makefile:2: test] Error 127\n", 2),
	absent("make: *** No rule to make target 'test'.  Stop.\n", 2),
	absent("/usr/bin/python3: No module named pytest\n"),
	absent('npm error Missing script: "test"\n'),
	absent("Error: Cannot find module 'left-pad'\n"),
	absent("ModuleNotFoundError: No module named 'requests'\n"),
	absent("error: Failed to spawn: `pytest`\n", 2),
	// Two packages: the first has no tests, the second no runner.
	absent("No tests found, exiting with code 1\nsh: 1: vitest: not found\n"),
	absent("\u001b[31msh: 1: jest: not found\u001b[39m\n"),
	evidence({
		kind: "lint",
		status: "fail",
		exitCode: 1,
		outputTail: "/usr/bin/python3: No module named ruff\n",
	}),
])("a check whose program or package is missing could not run", (piece) => {
	expect(baselineStand(piece)).toBe("could_not_run");
});

test.each([
	absent("No test files found, exiting with code 1\n"),
	absent("No tests found, exiting with code 1\nRun with `--passWithNoTests`\n"),
	absent('Error: No test files found: "test"\n'),
	absent("============ no tests ran in 0.01s ============\n", 5),
	absent("?   \texample.org/a\t[no test files]\n", 0),
	absent("# tests 0\n# pass 0\n", 0),
	absent("\u2139 tests 0\n", 0),
	absent("Could not find 'test/**/*.test.js'\n"),
	absent("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", 5),
	absent('> echo "Error: no test specified" && exit 1\n\nError: no test specified\n'),
	evidence({ status: "absent", counts: counts(0, 0), exitCode: 0 }),
])("a runner that finds no tests is one of a new project", (piece) => {
	expect(baselineStand(piece)).toBe("no_tests");
});

test.each([
	absent("done\n", 0),
	evidence({ status: "error", reason: "timed out after 5m", exitCode: null }),
	// The file that is to be written.
	absent("Error: Cannot find module './limiter.js'\n"),
	absent("Error: Cannot find module '/checkout/src/limiter.js'\n"),
	absent("python3: can't open file '/checkout/test.py': [Errno 2] No such file or directory\n", 2),
	absent("sh: 0: cannot open test.sh: No such file\n", 2),
	evidence({ kind: "coverage", status: "absent", outputTail: "# tests 0\n", exitCode: 1 }),
	// Tests that do not compile are no missing tests.
	absent("?   \texample.org/a\t[no test files]\nFAIL\texample.org/b [build failed]\n"),
])("any other check without a value is silent", (piece) => {
	expect(baselineStand(piece)).toBe("silent");
});

test("a check that hides its missing program has not said that the code is right", () => {
	const hidden = { outputTail: "sh: 1: pytest: not found\n", exitCode: 0 };
	expect(baselineStand(evidence({ ...hidden, status: "pass", counts: null }))).toBe(
		"passed_without",
	);
	expect(baselineStand(evidence({ ...hidden, status: "pass", counts: counts(1, 0) }))).toBe("told");
});

test("a result holds for good unless something that can be installed was missing", () => {
	const red = { status: "fail", exitCode: 1 } as const;
	expect(holdsForGood(evidence())).toBe(true);
	expect(holdsForGood(evidence({ ...red, counts: counts(0, 2) }))).toBe(true);
	const lacking = { ...red, outputTail: "Error: Cannot find package 'a' imported from /b\n" };
	expect(holdsForGood(evidence({ ...lacking, counts: counts(0, 2) }))).toBe(false);
	expect(holdsForGood(evidence({ ...lacking, counts: counts(1, 2) }))).toBe(true);
	const outputTail = "sh: 1: ruff: not found\n";
	expect(holdsForGood(evidence({ ...red, kind: "lint", outputTail }))).toBe(false);
	expect(holdsForGood(evidence({ status: "absent" }))).toBe(false);
});

test("packages that are not installed are known by name, and files are not", () => {
	const output = `Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/left-pad' imported from /x
Error: Cannot find module 'chai/register'
Error: Cannot find module './limiter.js'
\u001b[31mE   ModuleNotFoundError: No module named 'yaml'\u001b[39m
ModuleNotFoundError: No module named 'tokens.bucket'
/usr/bin/python3: No module named pytest`;
	expect(missingPackages(output)).toEqual(["@a/left-pad", "yaml", "pytest"]);
});

test("all cases fail when none of any acceptance check passes", () => {
	const red = evidence({ status: "fail", counts: counts(0, 3) });
	expect(casesAllFailing([red, evidence({ kind: "lint", counts: counts(9, 0) })])).toBe(3);
	expect(casesAllFailing([red, red])).toBe(6);
	expect(casesAllFailing([red, evidence({ counts: counts(1, 0) })])).toBe(0);
	expect(casesAllFailing([evidence({ status: "fail", exitCode: 1 })])).toBe(0);
	expect(casesAllFailing([])).toBe(0);
});

test.each([
	[" PASS  Waiting for file changes...\n       press h to show help, press q to quit\n", true],
	["\nWatch Usage\n › Press f to run only failed tests.\n", true],
	["[nodemon] clean exit - waiting for changes before restart\n", true],
	["\u2139 tests 3\nCompleted running 'a.test.js'\n", true],
	["# Subtest: keeps watching for a signal\nok 1 - keeps watching\n", false],
	["waiting for the server\n", false],
])("output that says that a run waits for changes of files: %j", (output, isWatching) => {
	expect(saysWatching(output)).toBe(isWatching);
});
