import { describe, expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { isNotLoaded, isRunNotLoaded, namedCases, testRunOf, wantsNetwork } from "./test-run.ts";

const NODE = `✔ works (0.7ms)
▶ outer
  ✖ breaks it (0.8ms)
✖ outer (1.1ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at a.test.mjs:3:27
✖ breaks it (0.787512ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
      at TestContext
`;

test.each([
	["node --test", NODE, ["breaks it: AssertionError [ERR_ASSERTION]: 1 == 2"], ["works"]],
	[
		"vitest",
		" FAIL  test/a.test.ts > outer > adds\nAssertionError: expected 1 to be 2\n",
		["test/a.test.ts > outer > adds: AssertionError: expected 1 to be 2"],
		[],
	],
	["jest", "  ● outer › adds\n\n    expect(1).toBe(2)\n", ["outer › adds: expect(1).toBe(2)"], []],
	[
		"pytest",
		"tests/test_a.py::test_ok PASSED [50%]\nFAILED tests/test_a.py::test_b - assert 1 == 2\n",
		["tests/test_a.py::test_b: assert 1 == 2"],
		["tests/test_a.py::test_ok"],
	],
	[
		"go test",
		"--- FAIL: TestAdd (0.00s)\n    add_test.go:9: got 1\n--- PASS: TestSub (0.00s)\n",
		["TestAdd: add_test.go:9: got 1"],
		["TestSub"],
	],
	[
		"unittest",
		`FAIL: test_b (t.T)\n${"-".repeat(70)}\nAssertionError: 1 != 2\n`,
		["test_b (t.T): AssertionError: 1 != 2"],
		[],
	],
])("the cases that %s names are found, with what they said", (_runner, output, failed, passed) => {
	const found = namedCases(output);
	const said = found.filter(({ status }) => status === "failed");
	expect(said.map(({ id, message = "" }) => `${id}: ${message.split("\n")[0]}`)).toEqual(failed);
	const ok = found.filter(({ status }) => status === "passed").map(({ id }) => id);
	expect(ok).toEqual(expect.arrayContaining(passed));
});

const VITEST_RED = ` ❯ test/a.test.js (2 tests | 1 failed) 8ms
   ❯ m (2)
     × fails 7ms
     ✓ passes 0ms

 FAIL  test/a.test.js > m > fails
AssertionError: expected 1 to be 2

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
`;

test("what vitest ticks is no name of a case: a whole file, or a title below a file that failed", () => {
	const green =
		" ✓ test/a.test.js (2 tests) 5ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n";
	expect(namedCases(green)).toEqual([]);
	expect(namedCases(VITEST_RED).map(({ id }) => id)).toEqual(["test/a.test.js > m > fails"]);
	const verbose = green.replace("(2 tests)", "> m > passes");
	expect(namedCases(verbose)).toEqual([{ id: "test/a.test.js > m > passes", status: "passed" }]);
});

const COUNTS = { total: 2, passed: 2, failed: 0, skipped: 0, knownFailing: 0 };
const run = (part: Parameters<typeof evidence>[0], output = "", command = "sh  t.sh") =>
	testRunOf(
		evidence({ outputPath: "out.log", exitCode: 0, counts: COUNTS, ...part }),
		output,
		command,
	);

test("cases of a report are taken as they are", () => {
	const cases = [
		{ id: "a", status: "passed" },
		{ id: "b", status: "failed", message: "no" },
	] as const;
	const counts = { ...COUNTS, passed: 1, failed: 1 };
	expect(run({ status: "fail", exitCode: 1, counts, cases })).toMatchObject({
		status: "fail",
		problem: null,
		cases,
		namesPassed: true,
		ran: 2,
	});
});

test("where nothing is named the whole run is one case, by its command", () => {
	expect(run({ cases: null })).toMatchObject({
		status: "pass",
		cases: [{ id: "sh t.sh", status: "passed" }],
		namesPassed: false,
	});
	const tail = "expected 3";
	const exit = {
		status: "absent",
		exitCode: 1,
		counts: null,
		cases: null,
		outputTail: tail,
	} as const;
	expect(run(exit)).toMatchObject({
		status: "fail",
		ran: null,
		cases: [{ id: "sh t.sh", status: "failed", message: tail }],
	});
	expect(run({ ...exit, exitCode: 0 })).toMatchObject({ status: "pass" });
});

const RED = { status: "fail", exitCode: 1, counts: { ...COUNTS, passed: 0, failed: 1 } } as const;
const one = (message: string) => ({
	...RED,
	cases: [{ id: "a", status: "failed", message }] as const,
});

test.each([
	["setup", { outputPath: null, exitCode: null, status: "error" }],
	["not_started", { started: false, exitCode: null, status: "error" }],
	["not_started", { exitCode: 127, status: "error" }],
	["stopped", { exitCode: null, status: "error" }],
	["touched", { status: "error", touched: ["src/a.js"] }],
	["touched", { ...one("1 is not 2"), touched: ["src/a.js"] }],
	["no_tests", { status: "absent", counts: { ...COUNTS, total: 0, passed: 0 } }],
	["not_loaded", one("Error: Cannot find module './limit.js'")],
	[
		"not_loaded",
		one("SyntaxError: The requested module './a.js' does not provide an export named 'b'"),
	],
	["not_loaded", one("ModuleNotFoundError: No module named 'shop'")],
	["network", one("Error: getaddrinfo ENOTFOUND example.org")],
	["unclear", { status: "error", counts: null }],
] as const)("a run without a word on the product is one: %s", (problem, part) => {
	expect(run(part)).toMatchObject({ status: "none", problem });
});

test("a runner that names a file in place of a case could not load it; noise around a named case is none", () => {
	const file = { id: "test/a.test.mjs", status: "failed", message: "test failed" } as const;
	expect(run({ ...RED, cases: [file] })).toMatchObject({ problem: "not_loaded" });
	const named = { id: "has four", status: "failed" } as const;
	const outputTail = "grep: a.txt: No such file or directory\nnot ok 1 - has four";
	expect(run({ ...RED, cases: [named], outputTail })).toMatchObject({ status: "fail" });
});

test("one real failure among tests that could not be loaded is a failure", () => {
	const cases = [
		{ id: "a", status: "failed", message: "ImportError: no" },
		{ id: "b", status: "failed", message: "assert 1 == 2" },
	] as const;
	expect(run({ ...RED, cases })).toMatchObject({ status: "fail", problem: null });
});

const wrapped = (error: string): string =>
	`[Error [ERR_TEST_FAILURE]: ${error}] {\n  code: 'ERR_TEST_FAILURE',\n  failureType: 'testCodeFailure',\n  cause: ${error}\n      at load (node:internal)\n}`;

describe("a case was not loaded", () => {
	test.each([
		"Error: Cannot find module '../nope' from 't/b.test.js'\n    at Resolver",
		"Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/a/nope.mjs' imported from /a/b.test.mjs",
		"Cannot find module '../nope' from 't/b.test.js'",
		"Error: Cannot find package 'left-pad' imported from /a/b.js",
		"SyntaxError: The requested module './a.js' does not provide an export named 'b'",
		"SyntaxError: Unexpected token ';'",
		"Jest encountered an unexpected token\n\nJest failed to parse a file.",
		"Error: Failed to load url ../src/new.js (resolved id: ../src/new.js)",
		"ModuleNotFoundError: No module named 'shop'",
		"E   ImportError: cannot import name 'total' from 'shop'",
		"def test_b():\n>       import nope\nE       ModuleNotFoundError: No module named 'nope'\n\ntest_c.py:2: Error",
		'collection failure\nImportError while importing test module\nE     File "test_b.py", line 5',
		wrapped("Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/a/nope.mjs'"),
		wrapped("SyntaxError: Unexpected token ';'"),
	])("by the error that it begins with: %s", (message) => {
		expect(isNotLoaded({ id: "adds", message })).toBe(true);
	});

	test.each([
		"test/a.test.mjs",
		"test/a.test.mjs > test > a.test.mjs",
		"test/a.test.ts > (file)",
		"tests/test_a.py",
		"Test suite failed to run",
		"test_a (unittest.loader._FailedTest.test_a)",
	])("by its runner's name for it: %s", (id) => {
		expect(isNotLoaded({ id, message: "test failed" })).toBe(true);
	});
});

test.each([
	"AssertionError [ERR_ASSERTION]: 'Cannot find module x' == 'y'",
	wrapped("AssertionError [ERR_ASSERTION]: 'Cannot find module x' == 'y'"),
	"AssertionError: expected [Function] to throw SyntaxError\n\n  1| import { parse } from './a.js';\n  2| // SyntaxError: no",
	'expect(received).toBe(expected)\n\nExpected: "Cannot find module"',
	"SyntaxError: Expected property name or '}' in JSON at position 1",
	"SyntaxError: Unexpected end of JSON input",
	"SyntaxError: Invalid regular expression: /(/: Unterminated group",
	"Error: ENOENT: no such file or directory, open 'out/report.json'",
	"TypeError: limit is not a function",
	"ReferenceError: SyntaxErrors is not defined",
	"FileNotFoundError: [Errno 2] No such file or directory: 'out.json'",
	"assert 'ImportError: x' == ''",
	"E   AssertionError: assert 'No module named shop' == ''",
	"undefined: x",
	"",
])("a failure of the product is none, whatever it speaks of: %s", (message) => {
	expect(isNotLoaded({ id: "a.test.js > reads limiter.js", message })).toBe(false);
	expect(isNotLoaded({ id: "src/a.test.js > reads > other.js", message })).toBe(false);
});

test.each([
	["node:internal/modules\nError: Cannot find module '/a/t.mjs'\n    at x", false],
	['  File "t.py", line 1\nSyntaxError: invalid syntax', false],
	["sh: 0: cannot open test/t.sh: No such file", false],
	["./a_test.go:9:2: undefined: Limit", false],
	["error[E0432]: unresolved import `shop`", false],
	["sh: 1: Syntax error: Unterminated quoted string", false],
	["bash: -c: line 2: syntax error: unexpected end of file", false],
	["test/t.sh: line 3: unexpected EOF while looking for matching `\"'", false],
	["/bin/sh: 1: .: cannot open ./t.sh: No such file", false],
	["/bin/sh: 1: cd: can't cd to test/integration", false],
	["bash: line 1: cd: test/integration: No such file or directory", false],
	["make: *** No rule to make target 'integration'.  Stop.", false],
	['npm error Missing script: "integration"', false],
	["npm error could not determine executable to run", false],
	["/usr/bin/python3: No module named pytest", false],
	["Could not find 'test/t.test.js'", false],
	["ERROR: file or directory not found: tests/test_t.py", false],
	["Can't locate Shop.pm in @INC (you may need to install the Shop module)", false],
	["No test files found, exiting with code 1", false],
	["FAIL\texample.org/shop [build failed]", true],
	["_____ ERROR collecting tests/test_a.py _____", true],
	["!!!!! Interrupted: 1 error during collection !!!!!", true],
	["ERROR: test_a (unittest.loader._FailedTest.test_a)", true],
])("a run that names no case was not loaded: %s", (output, counted) => {
	expect(isRunNotLoaded(output, counted)).toBe(true);
});

test.each([
	// It counted a failed test, so it was loaded; the rest is what the product prints.
	["Error: Cannot find module 'x'\nTests: 1 failed, 1 total", true],
	["the parser said: SyntaxError: x\nexpected 3", false],
	["cat: out.json: No such file or directory\nexpected 3", false],
	["ENOENT: no such file or directory, open 'out.json'", false],
	["undefined: 3 is not 4", false],
	["the shell said: sh: 1: Syntax error: x\nexpected 3", false],
	["expected 3, but cd: can't cd to x", false],
])("a run that names no case failed: %s", (output, counted) => {
	expect(isRunNotLoaded(output, counted)).toBe(false);
});

test.each([
	"Error: getaddrinfo ENOTFOUND example.org",
	"TypeError: fetch failed\n    at node:internal\n  [cause]: Error: getaddrinfo EAI_AGAIN example.org",
	"Error: connect ENETUNREACH 1.1.1.1:443",
	"curl: (6) Could not resolve host: example.org",
	"urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>",
	'Get "https://example.org": dial tcp: lookup example.org on 127.0.0.53:53: no such host',
])("another machine was wanted: %s", (text) => {
	expect(wantsNetwork(text)).toBe(true);
});

test.each([
	"AssertionError: expected 'getaddrinfo ENOTFOUND' to be 'offline'",
	wrapped("AssertionError [ERR_ASSERTION]: 'connect ENETUNREACH' == 'x'"),
	"TypeError: retry is not a function\n  1| test('getaddrinfo ENOTFOUND is retried', () => {",
	"Error: connect ECONNREFUSED 127.0.0.1:80",
	"the code is ENOTFOUND",
	"there is no such host in the list",
])("none was: %s", (text) => {
	expect(wantsNetwork(text)).toBe(false);
});
