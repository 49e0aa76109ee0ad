import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recogniseRunner } from "../recognise.ts";
import { countsIn } from "./parsed-report.ts";
import { likelySummary, saysNoTests } from "./text-summary.ts";

/** `passed/failed/skipped` of an output, or why it has none. */
function brief(text: string): string {
	const read = recogniseRunner(text);
	if (read === null) return "null";
	const counts = countsIn(read);
	if (counts === null) return `invalid: ${read.kind === "invalid" ? read.reason : ""}`;
	return `${counts.passed}/${counts.failed}/${counts.skipped}`;
}

const recorded = (name: string) =>
	readFileSync(new URL(`../fixtures/printed/${name}`, import.meta.url), "utf8");

test.each([
	["unittest-expected-failure.txt", "3/0/1"],
	["pytest9-subtests-q.txt", "2/0/0"],
	["cargo.txt", "3/0/1"],
	["ava-verbose.txt", "2/0/1"],
	["phpunit.txt", "2/0/0"],
	["surefire.txt", "4/0/1"],
	["rspec.txt", "1/0/1"],
	["playwright2.txt", "4/0/2"],
	["ctest.txt", "1/1/1"],
	["bats.txt", "1/1/1"],
	["bats-pretty.txt", "1/1/1"],
	["go.txt", "2/1/1"],
	["minitest.txt", "1/2/1"],
	["test-unit.txt", "1/1/2"],
	["rspec-red.txt", "1/1/1"],
	["phpunit-red.txt", "1/2/2"],
	["exunit.txt", "1/1/1"],
	["jasmine.txt", "1/1/1"],
	["bun.txt", "1/1/2"],
	["deno.txt", "1/1/1"],
])("the output %s gives %s", (file, counts) => {
	expect(brief(recorded(file))).toBe(counts);
	expect(brief(recorded(file).replaceAll("\n", "\r\n"))).toBe(counts);
});

test.each<[string, string, string]>([
	[
		"unittest",
		"Ran 6 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)\n",
		"2/3/1",
	],
	["trial", "Ran 4 tests in 0.012s\n\nFAILED (failures=1, skips=1, successes=2)\n", "2/1/1"],
	[
		"Django",
		"Ran 2 tests in 0.1s\n\nOK\nDestroying test database for alias 'default'...\n",
		"2/0/0",
	],
	[
		"pytest -v with subtests",
		"test_a.py::test_x SUBPASSED(i=1) [ 50%]\ntest_a.py::test_x PASSED [ 50%]\ntest_a.py::test_y PASSED [100%]\n==== 2 passed, 1 subtests passed in 0.02s ====\n",
		"2/0/0",
	],
	[
		"pytest with failing subtests",
		"1 failed, 1 passed, 1 subtests failed, 4 subtests passed in 0.02s\n",
		"1/2/0",
	],
	[
		"pytest with all",
		"1 failed, 2 passed, 1 skipped, 1 deselected, 1 xfailed, 1 xpassed, 2 warnings, 1 error, 1 rerun in 1.00s\n",
		"3/2/2",
	],
	[
		"cargo, red",
		"test a::x ... FAILED\ntest b ... ok\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s\n",
		"1/1/0",
	],
	[
		"cargo without tests",
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
		"0/0/0",
	],
	[
		"nextest",
		"------------\n     Summary [   0.017s] 4 tests run: 3 passed (1 slow, 1 flaky), 1 failed, 2 skipped\n",
		"3/1/2",
	],
	[
		"RSpec, red",
		"Finished in 0.1 seconds (files took 0.1 seconds to load)\n5 examples, 2 failures, 1 pending\n\nFailed examples:\n",
		"2/2/1",
	],
	[
		"RSpec that does not load",
		"0 examples, 0 failures, 1 error occurred outside of examples\n",
		"0/1/0",
	],
	[
		"minitest",
		"Finished in 0.1s, 9.1 runs/s, 11.0 assertions/s.\n\n5 runs, 7 assertions, 1 failures, 1 errors, 1 skips\n",
		"2/2/1",
	],
	[
		"test-unit",
		"5 tests, 5 assertions, 1 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications\n",
		"2/1/2",
	],
	[
		"PHPUnit, red",
		"FAILURES!\nTests: 5, Assertions: 5, Errors: 1, Failures: 1, Skipped: 1, Incomplete: 1.\n",
		"1/2/2",
	],
	[
		"PHPUnit with deprecations",
		"OK, but there were issues!\nTests: 2, Assertions: 3, PHPUnit Deprecations: 1, Warnings: 1.\n",
		"2/0/0",
	],
	["PHPUnit without tests", "No tests executed!\n", "0/0/0"],
	[
		"Pest",
		"\n  Tests:    1 failed, 1 skipped, 3 passed (8 assertions)\n  Duration: 0.12s\n",
		"3/1/1",
	],
	[
		"surefire, two modules",
		"[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in a.ATest\n[INFO] \n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Building b\n[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Flakes: 1\n",
		"3/2/0",
	],
	["gradle, red", "> Task :test FAILED\n\n5 tests completed, 1 failed, 1 skipped\n", "3/1/1"],
	[
		"ctest",
		"1/3 Test #1: a ........   Passed    0.00 sec\n2/3 Test #2: b ........***Skipped   0.00 sec\n3/3 Test #3: c ........***Failed    0.01 sec\n\n67% tests passed, 1 tests failed out of 3\n",
		"1/1/1",
	],
	["ctest without tests", "No tests were found!!!\n", "0/0/0"],
	[
		"ExUnit",
		"Finished in 0.05 seconds (0.00s async, 0.05s sync)\n1 doctest, 5 tests, 1 failure, 1 excluded, 1 invalid, 1 skipped\n\nRandomized with seed 1\n",
		"2/2/2",
	],
	["bats, pretty", " ✓ a\n ✗ b\n\n2 tests, 1 failure\n", "1/1/0"],
	["bats", "1..3\nok 1 a\nnot ok 2 b\n# (in test file a.bats, line 3)\nok 3 c # skip\n", "1/1/1"],
	[
		"dotnet",
		"Failed!  - Failed:     1, Passed:     3, Skipped:     1, Total:     5, Duration: 5 ms - x.dll (net8.0)\nPassed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 1 s - y.dll (net8.0)\n",
		"5/1/1",
	],
	[
		"dotnet, its longer form",
		"Test Run Successful.\nTotal tests: 3\n     Passed: 2\n    Skipped: 1\n Total time: 0.5 Seconds\n",
		"2/0/1",
	],
	[
		"dotnet 9",
		"Test summary: total: 4, failed: 1, succeeded: 2, skipped: 1, duration: 1.2s\n",
		"2/1/1",
	],
	[
		"dotnet's testing platform",
		"Test run summary: Failed! - x.dll (net9.0|x64)\n  total: 4\n  failed: 1\n  succeeded: 2\n  skipped: 1\n  duration: 1s 2ms\n",
		"2/1/1",
	],
	[
		"Playwright, red",
		"Running 4 tests using 1 worker\n\n  1 failed\n    [chromium] › a.spec.ts:3:1 › 3 passed things ─────\n  1 did not run\n  2 passed (1.5m)\n",
		"2/1/1",
	],
	["Playwright, all red", "  1 failed\n    [chromium] › a.spec.ts:3:1 › adds ─────\n", "0/1/0"],
	[
		"ava, red beside a passed one",
		"  - [skip] three\n  ✘ [fail]: one Error thrown in test\n  ✔ two (120ms)\n  ✔ [expected fail] four\n  ─\n\n  one\n\n  test/a.test.js:3\n\n  Error\n\n  ─\n\n  1 test failed\n  1 known failure\n  1 test skipped\n",
		"2/1/1",
	],
	[
		"ava, red",
		"  ─\n\n  1 test failed\n  2 tests passed\n  1 known failure\n  1 test todo\n  1 uncaught exception\n",
		"3/2/1",
	],
	[
		"bun",
		" 3 pass\n 1 skip\n 1 todo\n 1 fail\n 5 expect() calls\nRan 6 tests across 1 file. [10.00ms]\n",
		"3/1/2",
	],
	["bun without a failure", "\n 2 pass\n 0 fail\nRan 2 tests across 2 files. [1.20s]\n", "2/0/0"],
	["deno", "ok | 3 passed (2 steps) | 0 failed | 1 ignored (5ms)\n", "3/0/1"],
	["deno, red", "\nFAILED | 1 passed | 2 failed (1 step) (1s)\n\nerror: Test failed\n", "1/2/0"],
	["deno without tests", "ok | 0 passed | 0 failed (0ms)\n", "0/0/0"],
	["Jasmine", "5 specs, 1 failure, 1 pending spec\nFinished in 0.01 seconds\n", "3/1/1"],
	["Jasmine, green", "1 spec, 0 failures\nFinished in 0.01 seconds\n", "1/0/0"],
	["uvu", "  Total:     3\n  Passed:    2\n  Skipped:   1\n  Duration:  0.38ms\n", "2/1/1"],
	[
		"vitest",
		" Test Files  1 passed (1)\n      Tests  1 failed | 2 passed | 1 expected fail (4)\n",
		"3/1/0",
	],
])("%s is read", (_runner, text, counts) => {
	expect(brief(text)).toBe(counts);
});

test("a failing subtest of pytest is a part of its test, and never makes a run green", () => {
	const red = (...lines: string[]) => lines.join("\n");
	const part = "SUBFAILED(i=1) test_a.py::T::test_f - assert 1 != 1";
	// In unittest the test around it is counted as passed, elsewhere it fails itself.
	expect(brief(red(part, "1 failed, 2 passed, 5 subtests passed in 0.10s"))).toBe("1/1/0");
	expect(
		brief(
			red(part, part, "FAILED test_a.py::T::test_f - contains 2", "3 failed, 1 passed in 0.10s"),
		),
	).toBe("1/1/0");
	expect(brief(red(part, part, "FAILED test_a.py::T::test_f - x", "1 failed in 0.10s"))).toBe(
		"0/1/0",
	);
});

test("cargo names its cases, equal names of several binaries too", () => {
	const read = recogniseRunner(recorded("cargo.txt"));
	expect(read?.kind === "cases" && read.cases.map(({ id }) => id)).toEqual([
		"a::one",
		"a::two",
		"a::three",
		"src/lib.rs - f (line 3)",
	]);
});

test("a line that cannot be read is quoted", () => {
	expect(brief("2 passed, 3 oddities in 0.10s\n")).toBe(
		'invalid: its summary counts "oddities", which is no known word, in the line: "2 passed, 3 oddities in 0.10s"',
	);
	expect(likelySummary("compiled\nall good: 12 checks, 3 tests fine\nbye\n")).toBe(
		"all good: 12 checks, 3 tests fine",
	);
});

test.each([
	"0 tests, 0 failures",
	"Ran 0 tests in 0.000s",
	"collected 0 items",
	"No tests found, exiting with code 1",
	"No test files found, exiting with code 1",
	"no tests ran in 0.01s",
	"running 0 tests",
	"Tests run: 0, Failures: 0, Errors: 0",
	"0 examples, 0 failures",
	"No tests were found!!!",
	"No test is available in x.dll.",
	"make: 'test' is up to date.",
	"make[1]: Nothing to be done for 'test'.",
	"No tests executed!",
	"ok  \tp\t0.1s [no tests to run]",
	"      Tests  no tests",
	"  0 passing (1ms)",
	"ℹ tests 0",
	"# tests 0",
	"1..0",
])("%s says that no test ran", (text) => {
	expect(saysNoTests(`built\n${text}\ndone\n`)).toBe(text.trim());
});

test.each([
	"10 tests passed",
	"1.0 tests per second",
	"100% tests passed, 0 tests failed out of 5",
	"5 tests, 0 failures",
	"0 tests skipped",
	"Tests run: 5, Failures: 0",
	"no tests failed",
	"Tests: 0 failed, 12 passed",
	"[         0 tests aborted      ]",
	"ran 10 tests: 0 failed",
	"Warnings total: 0",
	"Executed 5 tests, with 0 failures\nTest run with 0 tests passed",
	"ok  \tp\t0.1s\nok  \tq\t0.1s [no tests to run]",
])("%s does not", (text) => {
	expect(saysNoTests(`${text}\n`)).toBeUndefined();
});
