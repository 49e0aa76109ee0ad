import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { judgeCheck } from "../../checks/judge.ts";
import { judgeInput } from "../../evidence/evidence.fixture.ts";
import { KINDS_OF_FORMAT } from "../../workflow/schema-checks.ts";
import { isTestFormat, parseReport, type TestFormat } from "../parse-report.ts";
import { recogniseRunner } from "../recognise.ts";
import { countsOf, countsReport, MAX_REPORT_SIZE, type ParsedReport } from "./parsed-report.ts";

const FORMATS = Object.keys(KINDS_OF_FORMAT).filter(isTestFormat);
const recorded = (name: string) =>
	readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");

/** `passed/failed/skipped` of a report, or why it is invalid. */
function brief(report: ParsedReport | null): string {
	if (report === null) return "null";
	if (report.kind === "invalid") return `invalid: ${report.reason}`;
	const counts = report.kind === "cases" ? countsOf(report.cases) : report.counts;
	return `${counts.passed}/${counts.failed}/${counts.skipped}`;
}

const ids = (report: ParsedReport) =>
	report.kind === "cases" ? report.cases.map(({ id }) => id) : brief(report);

describe("recorded output of real runners is read", () => {
	test.each<[string, TestFormat, string, boolean]>([
		["node-test-spec.txt", "node-test", "3/1/2", true],
		["node-test-tap.txt", "node-test", "3/1/2", true],
		["node-test-tap.txt", "tap", "3/1/2", true],
		["node-test-junit.xml", "junit", "3/1/2", false],
		["vitest-text.txt", "vitest", "2/1/2", true],
		["vitest-colour.txt", "vitest", "2/1/2", true],
		["vitest-report.json.txt", "vitest", "2/1/2", false],
		["vitest-report.json.txt", "jest", "2/1/2", false],
		["vitest-junit.xml", "junit", "2/1/2", false],
		["vitest-tap.txt", "tap", "2/1/2", true],
		["pytest-verbose.txt", "pytest", "3/2/2", true],
		["pytest-quiet.txt", "pytest", "3/2/2", true],
		["pytest-junit.xml", "junit", "3/2/2", false],
	])("%s as %s gives %s", (file, format, counts, recognised) => {
		expect(brief(parseReport(format, recorded(file)))).toBe(counts);
		const windows = recorded(file).replaceAll("\n", "\r\n");
		expect(brief(parseReport(format, windows))).toBe(counts);
		expect(brief(recogniseRunner(windows))).toBe(recognised ? counts : "null");
	});
});

describe("a truncated, empty or absurd report is invalid, never a pass", () => {
	test.each(FORMATS)("%s", (format) => {
		expect(brief(parseReport(format, ""))).toMatch(/^invalid/);
		expect(brief(parseReport(format, "all 5 tests passed"))).toMatch(/^invalid/);
		expect(brief(parseReport(format, "[1,2]"))).toMatch(/^invalid/);
		const long = "x".repeat(MAX_REPORT_SIZE + 1);
		expect(brief(parseReport(format, long))).toBe("invalid: the report is longer than 64 MiB");
	});

	test.each<[string, TestFormat]>([
		["node-test-tap.txt", "tap"],
		["node-test-junit.xml", "junit"],
		["vitest-report.json.txt", "vitest"],
		["vitest-text.txt", "vitest"],
		["node-test-spec.txt", "node-test"],
		["pytest-verbose.txt", "pytest"],
	])("%s cut in the middle", (file, format) => {
		const text = recorded(file);
		expect(brief(parseReport(format, text.slice(0, text.length / 4)))).toMatch(/^invalid/);
	});

	test("counts that are negative, not a number or absurd", () => {
		for (const passed of [-1, Number.NaN, 1.5, 10_000_001]) {
			expect(brief(countsReport({ passed, failed: 0, skipped: 0 }))).toMatch(/^invalid/);
		}
		const absurd = "Test Suites: 1 passed, 1 total\nTests:       99999999 passed, 99999999 total\n";
		expect(brief(parseReport("jest", absurd))).toMatch(/^invalid: the count/);
		const wrong = "Test Suites: 1 passed, 1 total\nTests:       3 passed, 4 total\n";
		expect(brief(parseReport("jest", wrong))).toMatch(/states 4 tests/);
	});

	test("no text makes a parser throw", () => {
		const words = fc.constantFrom(
			"ok 1 - a\n",
			"not ok 2\n",
			"1..2\n",
			"    ",
			"TAP version 14\n",
			"Bail out!\n",
			"<testsuite>",
			"<testcase name='a'>",
			"</testcase>",
			"</testsuite>",
			"<failure/>",
			"&#10;",
			"{",
			"}",
			'"results":',
			"--- PASS: A (0.00s)\n",
			"ok  \tp\t0.1s\n",
			"# Subtest: x\n",
			"  ---\n",
			"  ...\n",
			"\u001b[31m",
			"{\n",
			"1 passed in 0.10s\n",
		);
		const text = fc
			.array(fc.oneof(words, fc.string()), { maxLength: 30 })
			.map((list) => list.join(""));
		fc.assert(
			fc.property(text, fc.constantFrom(...FORMATS), (value, format) => {
				expect(["cases", "counts", "invalid"]).toContain(parseReport(format, value).kind);
				recogniseRunner(value);
			}),
		);
	});
});

describe("a file without tests, which node --test lists as passed, is not a test", () => {
	const closing = (sign: string, tests: number, pass: number) =>
		[
			`tests ${tests}`,
			"suites 0",
			`pass ${pass}`,
			`fail ${tests - pass}`,
			"cancelled 0",
			"skipped 0",
		]
			.concat("todo 0", "duration_ms 9")
			.map((line) => `${sign} ${line}\n`)
			.join("");
	const spec = (lines: string, tests: number, pass: number) => lines + closing("ℹ", tests, pass);

	test("in the spec reporter", () => {
		const only = spec("✔ test/my empty.test.js (75.67ms)\n", 1, 1);
		expect(brief(parseReport("node-test", only))).toBe("0/0/0");
		expect(judgeCheck(judgeInput({ report: parseReport("node-test", only) })).status).toBe(
			"absent",
		);
		const some = spec("✔ loads a.js (1ms)\n✔ x.js (1ms)\n✖ bad.test.js (2.1ms)\n", 3, 2);
		expect(brief(recogniseRunner(some))).toBe("1/1/0");
		const planted = spec("✔ x.js (1ms)\n✔ x.js (1ms)\n", 1, 1);
		expect(brief(parseReport("node-test", planted))).toBe("0/0/0");
	});

	test("in TAP, and only there: a linter's TAP names files", () => {
		const lint = "TAP version 13\n1..2\nok 1 - src/a.js\nok 2 - b\n";
		expect(brief(parseReport("tap", lint))).toBe("2/0/0");
		const tap = lint + closing("#", 2, 2);
		expect(ids(parseReport("tap", tap))).toEqual(["b"]);
		expect(ids(parseReport("node-test", tap))).toEqual(["b"]);
		expect(brief(parseReport("node-test", tap + tap))).toBe("2/0/0");
	});

	test("in JUnit", () => {
		const of = (name: string) =>
			`<testcase name="${name}" classname="test" file="/project/test/a.test.js"/>`;
		const xml = `<testsuites>${of("test/a.test.js")}${of("a")}</testsuites>`;
		expect(ids(parseReport("junit", xml))).toEqual(["/project/test/a.test.js > test > a"]);
	});
});

describe("junit", () => {
	const suite = (inner: string) => parseReport("junit", `<testsuite name="s">${inner}</testsuite>`);

	test("the cases count, not the numbers in a suite's attributes", () => {
		const xml =
			'<testsuites tests="9" failures="0"><testsuite tests="9"><testcase name="a"><failure/></testcase></testsuite></testsuites>';
		expect(brief(parseReport("junit", xml))).toBe("0/1/0");
		expect(brief(parseReport("junit", '<testsuites tests="9"/>'))).toBe("0/0/0");
	});

	test("failures that a suite states and lists nowhere are never a pass", () => {
		const hidden = '<testsuite name="s" tests="2" failures="1"><testcase name="a"/></testsuite>';
		expect(brief(parseReport("junit", hidden))).toBe("1/1/0");
		const within = `<testsuites failures="1" errors="0"><testsuite name="s"><testcase name="a"><failure/></testcase></testsuite></testsuites>`;
		expect(brief(parseReport("junit", within))).toBe("0/1/0");
		expect(brief(parseReport("junit", '<testsuites errors="x"/>'))).toBe("0/0/0");
	});

	test("nested suites, errors, statuses and errors of a suite", () => {
		const report = suite(
			'<testsuite name="in"><testcase name="a"><error message="x &lt; y"/></testcase><error>no setup</error></testsuite>' +
				'<testcase name="b" status="notrun"/><testcase name="c" status="failed"/><testcase name="d"><skipped/></testcase>',
		);
		expect(brief(report)).toBe("0/3/2");
		expect(report.kind === "cases" && report.cases).toContainEqual({
			id: "in > a",
			status: "failed",
			message: "x < y",
		});
	});

	test("equal ids get distinct suffixes", () => {
		const one = (name: string) => `<testcase classname="k" name="${name}"/>`;
		const report = suite(one("a") + one("a #2") + one("a") + one("a"));
		expect(ids(report)).toEqual(["k > a", "k > a #2", "k > a #3", "k > a #4"]);
	});

	thorough("entities and hostile nesting are refused", () => {
		const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>`;
		expect(brief(parseReport("junit", bomb))).toBe("invalid: it declares a document type");
		const deep = "<testsuite>".repeat(5_000) + "</testsuite>".repeat(5_000);
		expect(brief(parseReport("junit", deep))).toMatch(/^invalid/);
	});
});

describe("tap", () => {
	test.each([
		["a plan that is not kept", "TAP version 14\n1..3\nok 1\nok 2\n"],
		["no plan", "TAP version 14\nok 1\nok 2\n"],
		["a bail-out", "TAP version 14\n1..1\nok 1\nBail out! no database\n"],
	])("%s is invalid", (_, text) => {
		expect(brief(parseReport("tap", text))).toMatch(/^invalid/);
	});

	test("a separator of lines within a name separates nothing", () => {
		const tap = "TAP version 14\nok 1 - a\u2028b\nnot ok 2 - c\u2029\n1..2\n";
		expect(ids(parseReport("tap", tap))).toEqual(["a b", "c"]);
	});

	test("a parent is a case only when it fails by itself", () => {
		const tap = "TAP version 14\n# Subtest: p\n    ok 1 - a\n    1..1\nnot ok 1 - p\n1..1\n";
		expect(ids(parseReport("tap", tap))).toEqual(["p > a", "p"]);
	});

	test("an empty plan has no tests", () => {
		expect(brief(parseReport("tap", "TAP version 14\n1..0 # no tests\n"))).toBe("0/0/0");
	});
});

describe("json reports", () => {
	const ctrf = (...tests: unknown[]) => parseReport("ctrf", JSON.stringify({ results: { tests } }));

	test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
		"a status called %s, as members of each object are, is no pass",
		(name) => {
			const jest = {
				testResults: [{ name: "/a", assertionResults: [{ fullName: "a", status: name }] }],
			};
			const go = ["run", name].map((Action) =>
				JSON.stringify({ Action, Package: "p", Test: "TestA" }),
			);
			const trx = `<TestRun><Results><UnitTestResult testName="a" outcome="${name}"/></Results></TestRun>`;
			const passedIn = [
				ctrf({ name: "a", status: name }),
				parseReport("jest", JSON.stringify(jest)),
				parseReport("go-test", go.join("\n")),
				parseReport("trx", trx),
			].map((report) => ("cases" in report ? report.cases.map(({ status }) => status) : []));
			expect(passedIn.flat().filter((status) => status !== "failed")).toEqual([]);
		},
	);

	test("ctrf: pending and other did not run", () => {
		const of = (status: string) => ({
			name: status,
			status,
			suite: ["s", "t"],
			filePath: "a.js",
			message: "m",
		});
		const report = ctrf(...["passed", "failed", "skipped", "pending", "other"].map(of));
		expect(brief(report)).toBe("1/1/3");
		expect(ids(report)[1]).toBe("a.js > s > t > failed");
		expect(brief(ctrf({ name: "a", status: "great" }))).toMatch(/^invalid/);
		expect(brief(ctrf(7))).toMatch(/^invalid/);
		expect(brief(parseReport("ctrf", '{"results":{}}'))).toMatch(/^invalid/);
	});

	test("jest: a file that does not load is a failure; lines around the report are skipped", () => {
		const file = {
			name: "a.test.js",
			status: "failed",
			message: "no module",
			assertionResults: [],
		};
		const report = `\n> test\n> jest --json\n\n${JSON.stringify({ testResults: [file] })}\nnpm error\n`;
		expect(ids(parseReport("jest", report))).toEqual(["a.test.js > (file)"]);
		for (const bad of [
			{ testResults: [7] },
			{ testResults: [{ assertionResults: 7 }] },
			{ testResults: [{ assertionResults: [7] }] },
			{ testResults: [{ assertionResults: [{ status: "?" }] }] },
			{},
		]) {
			expect(brief(parseReport("jest", JSON.stringify(bad)))).toMatch(/^invalid/);
		}
	});
});

describe("go test", () => {
	const text =
		"=== RUN   TestA\n=== RUN   TestA/sub\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n    --- PASS: TestA/ok (0.00s)\n--- PASS: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.com/a\t0.002s\n";

	test("-v names leaves", () => {
		expect(ids(parseReport("go-test", text))).toEqual([
			"example.com/a > TestA/sub",
			"example.com/a > TestA/ok",
			"example.com/a > TestB",
			"example.com/a > TestC",
		]);
		expect(brief(recogniseRunner(text))).toBe("2/1/1");
	});

	test("a package that does not build is a failure", () => {
		expect(brief(parseReport("go-test", `${text}FAIL\texample.com/b [build failed]\n`))).toBe(
			"2/2/1",
		);
	});

	test("without -v, passing packages name no tests, and the reason says what to add", () => {
		const report = parseReport("go-test", "ok  \ta\t0.1s\nok  \tb\t0.1s [no tests to run]\n");
		expect(brief(report)).toBe("0/0/0");
		const { status, reason } = judgeCheck(judgeInput({ report }));
		expect(status).toBe("absent");
		expect(reason).toMatch(/^no tests ran .*-v or -json/);
	});

	test("without -v failing tests and packages count", () => {
		const plain =
			"ok  \ta\t0.1s\nok  \tb\t0.1s [no tests to run]\n--- FAIL: TestX (0.00s)\nFAIL\tc\t0.1s\nFAIL\td [build failed]\n";
		expect(brief(parseReport("go-test", plain))).toBe("0/2/0");
		expect(
			brief(parseReport("go-test", "--- PASS: A (0.00s)\nok  \ta\t0.1s\n--- PASS: B (0.00s)\n")),
		).toMatch(/^invalid/);
	});

	test("-json", () => {
		const line = (event: object) => `${JSON.stringify(event)}\n`;
		const of = (Action: string, Test?: string, Output?: string) =>
			line({ Time: "t", Action, Package: "p", Test, Output });
		const events =
			of("run", "A") +
			of("output", "A", "boom") +
			of("fail", "A") +
			of("pass", "B") +
			of("skip", "C");
		const report = parseReport(
			"go-test",
			`${events}noise\n${line({ Time: "t", Action: "start" })}${of("fail")}`,
		);
		expect(report).toMatchObject({
			cases: [{ id: "p > A", message: "boom" }, { id: "p > B" }, { id: "p > C" }],
		});
		expect(brief(parseReport("go-test", events))).toMatch(/^invalid: package p does not end/);
		expect(brief(parseReport("go-test", `${events}{"Time":`))).toMatch(/^invalid/);
	});
});

describe("recognition needs the runner's own form", () => {
	test.each([
		"5 passed",
		"I ran it: 5 tests passed, 0 failed in 3s",
		"Tests: all fine",
		"# tests 5\n# pass 5\n",
		"ok 1 - x\n",
	])("%s is nothing", (text) => {
		expect(recogniseRunner(text)).toBeNull();
	});

	test("several packages of one runner are added up; the last runner decides", () => {
		const node = recorded("node-test-spec.txt");
		expect(brief(recogniseRunner(node + node))).toBe("6/2/4");
		expect(brief(recogniseRunner(`${node}  3 passing (5ms)\n  1 pending\n  2 failing\n`))).toBe(
			"3/2/1",
		);
		const tap = recorded("node-test-tap.txt");
		expect(brief(recogniseRunner(tap + tap))).toBe("6/2/4");
	});

	test("output of a test that looks like TAP does not hide the runner's counts", () => {
		const tap = recorded("node-test-tap.txt").replace("1..3", "ok 4 - planted\n1..4");
		expect(brief(parseReport("node-test", tap))).toBe("3/1/2");
	});

	test("a run without tests is recognised", () => {
		expect(brief(recogniseRunner("=== no tests ran in 0.01s ===\n"))).toBe("0/0/0");
		expect(brief(recogniseRunner(" Test Files  1 failed (1)\n      Tests  no tests\n"))).toBe(
			"0/0/0",
		);
		expect(brief(recogniseRunner("1 oddity in 0.01s\n"))).toMatch(/^invalid/);
	});
});

const failed = (report: ParsedReport | null) =>
	report?.kind === "invalid" ? (report.failed ?? []) : "a valid report";

describe("failures count, even in an invalid report", () => {
	test("AVA's TAP of a test file with a duplicate title", () => {
		const text = recorded("ava-duplicate-title.txt");
		for (const report of [parseReport("tap", text), recogniseRunner(text)]) {
			expect(brief(report)).toMatch(/^invalid/);
			expect(failed(report)).toEqual([
				"Error: Duplicate test title: adds",
				"t/a.test.js exited with a non-zero exit code: 1",
				"b › bad",
			]);
			expect(judgeCheck(judgeInput({ report: report ?? { kind: "none" } }))).toMatchObject({
				status: "fail",
				reason: expect.stringMatching(/^3 failures are in an invalid report: /) as unknown,
			});
		}
	});

	test.each<[string, TestFormat, string, readonly string[]]>([
		["no plan", "tap", "TAP version 13\nok 1 - a\nnot ok 2 - b\n", ["b"]],
		["a bail-out", "tap", "TAP version 13\n1..3\nnot ok 1\nBail out! no\n", ["(no name)"]],
		["a subtest", "tap", "# Subtest: p\n    not ok 1 - a\n", ["a"]],
		["todo and skip", "tap", "not ok 1 - a # TODO later\nnot ok 2 # skip\n", []],
		["a quoted line", "tap", "ok 1 - a\n  ---\n  not ok 2 - b\n  ...\nok 2\n", []],
		["a block without an end", "tap", "ok 1\n  ---\n  not ok 2 - b\nnot ok 3 - c\n", ["c"]],
		["a word", "tap", "# not ok is what it is\nnot okay\n", []],
		["cut XML", "junit", '<testsuite><testcase name="a"><failure message="x', ["a"]],
		[
			"cut XML behind a failure",
			"junit",
			'<testsuite name="s"><testcase name="a"><failure message="x">y</failure></testcase><testcase name="b"',
			["a"],
		],
		["an error of a suite", "junit", '<testsuite name="s"><error/><testcase', ["s"]],
		[
			"quoted XML",
			"junit",
			'<testsuite><testcase name="a"><system-out><failure/></system-out><![CDATA[<failure/>]]><!-- <error/> --></testcase><x y="<failure/>"',
			[],
		],
		["XML with a document type", "junit", "<!DOCTYPE a><testsuite><failure/></testsuite>", [""]],
		["cut CTRF", "ctrf", '{"results":{"tests":[{"name":"a","status":"failed"},{"na', [""]],
		["CTRF's counts", "ctrf", '{"results":{"summary":{"failed": 2},"tests":7}}', [""]],
		["quoted JSON", "ctrf", '{"results":{"tests":"\\"status\\":\\"failed\\""}', []],
		["cut JSON of jest", "jest", '{"numFailedTests":1,"testResults":[{', [""]],
		[
			"vitest without its end",
			"vitest",
			" FAIL  test/a.test.ts > adds\n",
			["test/a.test.ts > adds"],
		],
		[
			"a wrong sum",
			"jest",
			"Test Suites: 1 failed, 1 total\nTests:       1 failed, 3 total\n",
			["1 failed"],
		],
		["node without its end", "node-test", "✖ adds (1.2ms)\n", ["adds"]],
		[
			"pytest without its end",
			"pytest",
			"FAILED test_a.py::test_x - assert 1 == 2\n",
			["test_a.py::test_x"],
		],
		[
			"pytest counting what nobody knows",
			"pytest",
			"1 failed, 2 oddities in 0.01s\n",
			["1 failed"],
		],
		["go test without its end", "go-test", "--- FAIL: TestA (0.00s)\n", ["TestA"]],
		[
			"cut JSON of go test",
			"go-test",
			'{"Action":"fail","Package":"p","Test":"A"}\n{"Act',
			["p > A"],
		],
	])("%s", (_, format, text, names) => {
		const report = parseReport(format, text);
		expect(report.kind).toBe("invalid");
		expect(failed(report)).toEqual(names.map((name) => name || "(no name)"));
	});

	test("several TAP streams in one output give failures, never a pass", () => {
		const ok = "TAP version 13\n1..1\nok 1 - a\n";
		expect(recogniseRunner(ok + ok)).toBeNull();
		expect(failed(recogniseRunner(`${ok}${ok}not ok 2 - b\n`))).toEqual(["b"]);
	});

	test("TAP that goes on after the plan that closes it is read for what failed, never as a pass", () => {
		const closed = "TAP version 13\nok 1 - a\n1..1\n# pass 1\n";
		const report = (text: string) => parseReport("tap", text);
		expect(report(`${closed}done\n`).kind).toBe("cases");
		for (const late of ["not ok 2 - b\n", "TAP version 13\nnot ok 1 - b\n1..1\n"]) {
			expect(report(closed + late + closed).kind).toBe("invalid");
			expect(failed(report(closed + late + closed))).toEqual(["b"]);
			expect(failed(recogniseRunner(closed + late))).toEqual(["b"]);
		}
		expect(report(`${closed}ok 2 - b\n`)).toMatchObject({ kind: "invalid" });
		expect(report(closed + closed)).toMatchObject({ kind: "invalid" });
		expect(report(`${closed}Bail out! no database\n`)).toMatchObject({ kind: "invalid" });
	});

	test.each(FORMATS)("%s: truncated anywhere, a passing test is never a failure", (format) => {
		const whole: Readonly<Record<TestFormat, string>> = {
			tap: "TAP version 13\nok 1 - not ok\n  ---\n  a: not ok 7\n  ...\n1..1\n",
			junit:
				'<testsuite><testcase name="failure"><system-out>&lt;failure></system-out></testcase></testsuite>',
			trx: '<TestRun><Results><UnitTestResult testName="outcome=&quot;Failed&quot;" outcome="Passed"/></Results></TestRun>',
			ctrf: '{"results":{"summary":{"failed":0},"tests":[{"name":"failed","status":"passed"}]}}',
			jest: '{"numFailedTests":0,"testResults":[{"status":"passed"}]}',
			vitest: " Test Files  1 passed (1)\n      Tests  3 passed (3)\n",
			"node-test": "✔ FAIL (1.2ms)\nℹ tests 1\nℹ fail 0\n",
			pytest: "test_a.py::test_FAILED PASSED\n1 passed in 0.10s\n",
			"go-test": "--- PASS: TestFAIL (0.00s)\nok  \tp\t0.1s\n",
		};
		const text = whole[format];
		for (let end = 0; end < text.length; end += 1) {
			const report = parseReport(format, text.slice(0, end));
			if (report.kind === "invalid") expect(report.failed).toBeUndefined();
		}
	});
});
