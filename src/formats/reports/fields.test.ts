import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgeCheck } from "../../checks/judge.ts";
import { judgeInput } from "../../evidence/evidence.fixture.ts";
import { parseReport } from "../parse-report.ts";

const recorded = (name: string, encoding: BufferEncoding = "utf8") =>
	readFileSync(new URL(`../fixtures/printed/${name}`, import.meta.url), encoding);
const cases = (text: string, format: "junit" | "trx" = "junit") => {
	const report = parseReport(format, text);
	return report.kind === "cases" ? report.cases.map(({ id, status }) => `${id} ${status}`) : report;
};
const junit = (...results: string[]) =>
	`<testsuite name="s">${results.map((result) => `<testcase classname="c" name="x">${result}</testcase>`).join("")}</testsuite>`;
const FAILS = "<failure/>";

test("a case that a retrying runner lists twice is one case, whose last try counts", () => {
	expect(cases(recorded("rerun-dup.xml"))).toEqual(["pkg > TestA passed"]);
	expect(cases(junit(FAILS, FAILS, ""))).toEqual(["c > x passed"]);
	expect(cases(junit(FAILS, FAILS))).toEqual(["c > x failed"]);
});

test("equal names are a multiset: their order means nothing", () => {
	expect(cases(junit("", FAILS))).toEqual(["c > x failed", "c > x #2 passed"]);
	expect(cases(junit("", ""))).toEqual(["c > x passed", "c > x #2 passed"]);
	expect(cases(junit("", "<skipped/>"))).toEqual(["c > x skipped", "c > x #2 passed"]);
});

test("what failed and is listed as skipped, or passes in another suite, has failed", () => {
	expect(cases(junit(FAILS, "<skipped/>"))).toEqual(["c > x failed", "c > x #2 skipped"]);
	expect(cases(`<testsuites>${junit(FAILS)}${junit("")}</testsuites>`)).toEqual([
		"c > x failed",
		"c > x #2 passed",
	]);
});

test("letters of ISO-8859-1", () => {
	expect(cases(recorded("latin1.xml", "latin1"))).toEqual(["c > größe passed", "c > grüße passed"]);
});

test("TRX", () => {
	const trx = (results: string, counters = "") =>
		`<TestRun><Results>${results}</Results><TestDefinitions><UnitTest id="1"><TestMethod className="N.A" name="x"/></UnitTest></TestDefinitions><ResultSummary><Counters ${counters}/></ResultSummary></TestRun>`;
	const one = (name: string, outcome: string) =>
		`<UnitTestResult testId="1" testName="${name}" outcome="${outcome}"><Output><ErrorInfo><Message>m</Message></ErrorInfo></Output></UnitTestResult>`;
	const all =
		one("N.A.x", "Passed") + one("y(1)", "Failed") + one("z", "NotExecuted") + one("t", "Timeout");
	expect(cases(trx(all), "trx")).toEqual([
		"N.A.x passed",
		"N.A > y(1) failed",
		"N.A > z skipped",
		"N.A > t failed",
	]);
	expect(cases(trx("", 'failed="2"'), "trx")).toEqual(["(run) failed"]);
	expect(cases(trx(""), "trx")).toEqual([]);
	expect(parseReport("trx", "<TestRun><Results>").kind).toBe("invalid");
});

test("SARIF: rules of an extension give id and level", () => {
	const report = parseReport("sarif", recorded("ext.sarif"));
	expect(report).toMatchObject({
		results: [
			{ rule: "js/a", level: "error" },
			{ rule: "js/b", level: "note" },
		],
	});
});

const lines = (format: "cobertura" | "clover" | "istanbul", text: string) => {
	const report = parseReport(format, text);
	return report.kind === "coverage"
		? [...report.files].map(([file, hits]) => [file, Object.fromEntries(hits)])
		: report;
};

test("Cobertura: lines that stand below methods alone are read", () => {
	const of = (own: string) =>
		`<coverage><packages><package><classes><class filename="a.py"><methods><method><lines><line number="3" hits="1"/></lines></method></methods>${own}</class></classes></package></packages></coverage>`;
	expect(lines("cobertura", of(""))).toEqual([["a.py", { 3: true }]]);
	expect(lines("cobertura", of("<lines/>"))).toEqual([["a.py", { 3: true }]]);
	expect(lines("cobertura", of('<lines><line number="4" hits="0"/></lines>'))).toEqual([
		["a.py", { 4: false }],
	]);
});

test("Clover: of PHPUnit, of Istanbul, and conditions", () => {
	const xml =
		'<coverage><project><file name="/p/a.php"><line num="3" type="stmt" count="2"/><line num="4" type="cond" truecount="0" falsecount="1"/><line num="5" count="0"/></file><package><file name="b.js" path="/p/b.js"><line num="1" count="0"/></file></package></project></coverage>';
	expect(lines("clover", xml)).toEqual([
		["/p/a.php", { 3: true, 4: true, 5: false }],
		["/p/b.js", { 1: false }],
	]);
	expect(
		lines("clover", '<coverage><file name="a"><line num="1"/></file></coverage>'),
	).toMatchObject({
		kind: "invalid",
	});
});

test("Istanbul's summary has a total and no lines", () => {
	const text =
		'{"total":{"lines":{"total":4,"covered":3}},"/p/a.js":{"lines":{"total":4,"covered":3}}}';
	expect(parseReport("istanbul", text)).toMatchObject({ kind: "coverage", share: 0.75 });
	expect(parseReport("istanbul", '{"total":{"lines":{"total":"4"}}}')).toMatchObject({
		kind: "invalid",
	});
});

test("no format lets a run of zero tests pass, the exit code's neither", () => {
	const check = {
		...judgeInput({}).check,
		kind: "acceptance",
		report: { format: "exit" },
	} as const;
	const of = (noTests?: string) =>
		judgeCheck(judgeInput({ check, report: { kind: "none", noTests } }));
	expect(of("Ran 0 tests in 0.1s")).toMatchObject({
		status: "absent",
		reason: 'no tests ran: the output says "Ran 0 tests in 0.1s" (exit code 0)',
	});
	expect(of().status).toBe("pass");
});
