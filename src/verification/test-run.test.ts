import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { namedCases } from "./named-cases.ts";
import { testRunOf } from "./test-run.ts";

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
