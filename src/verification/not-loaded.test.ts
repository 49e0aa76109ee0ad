import { describe, expect, test } from "vitest";
import { isNotLoaded, isRunNotLoaded, wantsNetwork } from "./not-loaded.ts";

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
