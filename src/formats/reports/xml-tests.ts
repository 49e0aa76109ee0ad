import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { TestCase } from "../../evidence/evidence.ts";
import type { Fields } from "../../kernel/fields.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";

const names = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const JUNIT_LISTS = names("testsuites testsuite testcase failure error skipped");

const TRX_LISTS = names(
	"TestRun Results UnitTestResult TestDefinitions UnitTest TestMethod Output ErrorInfo Message ResultSummary Counters",
);

/**
 * Reads JUnit XML. The cases decide; failures that a suite states and lists nowhere are one failing case, and so is an
 * error of a suite itself. A case that its suite lists again after it failed is its next try, which counts. Ids are
 * `file or class > name`.
 */
export function parseJunit(text: string): ParsedReport {
	const root = readXml(text, JUNIT_LISTS);
	if (typeof root === "string") return refuse(root);
	const suites = [...children(root, "testsuites"), ...children(root, "testsuite")];
	if (suites.length === 0) return refuse("it has no testsuites or testsuite element");
	const list = new CaseList();
	for (const suite of suites) readSuite(suite, list);
	return list.report();
}

function readSuite(suite: Fields, list: CaseList): number {
	const failed = readCases(suite, list);
	const stated = statedFailures(suite);
	if (failed > 0 || stated === 0) return failed;
	const message = `the suite states ${stated} failures and errors, and lists none of them`;
	list.add([attribute(suite, "name"), "(suite)"], "failed", message);
	return 1;
}

function statedFailures(suite: Fields): number {
	const counts = ["failures", "errors"].map((name) => Number(attribute(suite, name)));
	return counts.reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : Math.max(count, 0)), 0);
}

function readCases(suite: Fields, list: CaseList): number {
	const errors = children(suite, "error");
	const failures = children(suite, "failure");
	let failed = errors.length + failures.length;
	for (const problem of [...errors, ...failures]) {
		list.add([attribute(suite, "name"), "(suite)"], "failed", messageOf(problem));
	}
	list.startTries();
	for (const testCase of children(suite, "testcase")) {
		const { status, message } = resultOf(testCase);
		if (status === "passed" && isEmptyFile(testCase)) continue;
		failed += status === "failed" ? 1 : 0;
		list.add(pathOf(testCase, suite), status, message);
	}
	for (const inner of [...children(suite, "testsuites"), ...children(suite, "testsuite")]) {
		failed += readSuite(inner, list);
	}
	return failed;
}

// `node --test` lists a file without tests as a passing case with its path as the name.
function isEmptyFile(testCase: Fields): boolean {
	const [file, name] = [attribute(testCase, "file"), attribute(testCase, "name")];
	const isFile = name !== "" && (file === name || file.endsWith(`/${name}`));
	return isFile && attribute(testCase, "classname") === "test";
}

function pathOf(testCase: Fields, suite: Fields): string[] {
	const file = attribute(testCase, "file");
	const group = attribute(testCase, "classname") || attribute(suite, "name");
	const name = attribute(testCase, "name");
	return file === "" || file === group ? [group, name] : [file, group, name];
}

function resultOf(testCase: Fields): { status: TestCase["status"]; message?: string } {
	const [problem] = [...children(testCase, "failure"), ...children(testCase, "error")];
	if (problem !== undefined) return { status: "failed", message: messageOf(problem) };
	const stated = attribute(testCase, "status").toLowerCase();
	if (stated === "failed" || stated === "error") return { status: "failed" };
	const skipped = children(testCase, "skipped").length > 0;
	return { status: skipped || NOT_RUN.has(stated) ? "skipped" : "passed" };
}

const NOT_RUN: ReadonlySet<string> = new Set(["notrun", "skipped", "disabled", "pending"]);

function messageOf(problem: Fields): string {
	const message = attribute(problem, "message");
	const text = textIn(problem);
	return text.includes(message) ? text : `${message}\n${text}`;
}

// Any other outcome but `Passed` failed.
const NEVER_RUN = ["notexecuted", "inconclusive", "notrunnable", "disconnected", "pending"];

const below = (element: Fields, ...names: readonly string[]): Fields[] =>
	names.reduce<Fields[]>((found, name) => found.flatMap((one) => children(one, name)), [element]);

/**
 * Reads TRX, the report of `dotnet test --logger trx`. Failures that its counters state and that it does not list are
 * one failing case.
 */
export function parseTrx(text: string): ParsedReport {
	const root = readXml(text, TRX_LISTS);
	if (typeof root === "string") return refuse(root);
	const [run] = children(root, "TestRun");
	if (run === undefined) return refuse("it has no TestRun element");
	const classes = new Map(
		below(run, "TestDefinitions", "UnitTest").map((unit) => [
			attribute(unit, "id"),
			attribute(children(unit, "TestMethod")[0] ?? {}, "className").split(",", 1)[0] ?? "",
		]),
	);
	const list = new CaseList();
	let failed = 0;
	for (const result of below(run, "Results", "UnitTestResult")) {
		const outcome = attribute(result, "outcome").toLowerCase();
		const missed = NEVER_RUN.includes(outcome) ? "skipped" : "failed";
		const status = outcome === "passed" ? "passed" : missed;
		if (status === "failed") failed += 1;
		const group = classes.get(attribute(result, "testId")) ?? "";
		const name = attribute(result, "testName");
		const path = name.startsWith(`${group}.`) ? [name] : [group, name];
		list.add(path, status, below(result, "Output", "ErrorInfo", "Message").map(textIn).join("\n"));
	}
	const [summary = {}] = children(run, "ResultSummary");
	const [counters = {}] = children(summary, "Counters");
	const stated = ["failed", "error", "timeout", "aborted"].reduce(
		(sum, name) => sum + (Number(attribute(counters, name)) || 0),
		0,
	);
	if (failed === 0 && stated > 0) {
		list.add(["(run)"], "failed", `the run states ${stated} failures, and lists none of them`);
	}
	return list.report();
}

const DOCTYPE = /^\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<!DOCTYPE/i;

/** Options of the parser with which every report in XML is read. */
export const XML_OPTIONS = {
	ignoreAttributes: false,
	attributeNamePrefix: "@",
	parseTagValue: false,
	parseAttributeValue: false,
	htmlEntities: true,
	maxNestedTags: 200,
} as const;

/** @example `not well-formed XML: Unclosed tag 'a'. (line 3)` */
export function xmlProblem(xml: string): string | undefined {
	const wellFormed = XMLValidator.validate(xml, { allowBooleanAttributes: false });
	if (wellFormed === true) return undefined;
	return `not well-formed XML: ${wellFormed.err.msg} (line ${wellFormed.err.line})`;
}

/**
 * The root of a report in XML; a text says why there is none. A document type, and with it every entity, makes it invalid.
 *
 * @param lists names of the elements that `children` will be asked for
 */
function readXml(text: string, lists: ReadonlySet<string>): Fields | string {
	const xml = plainText(text);
	if (DOCTYPE.test(xml.slice(0, 10_000))) return "it declares a document type";
	const parser = new XMLParser({ ...XML_OPTIONS, isArray: (name) => lists.has(name) });
	// The parser gives an object by element name for every well-formed text.
	return xmlProblem(xml) ?? (parser.parse(xml) as Fields);
}

function attribute(element: Fields, name: string): string {
	const value = element[`@${name}`];
	return typeof value === "string" ? value : "";
}

/** Child elements. The parser gives an element with only text, or without content, as text. */
function children(element: Fields, name: string): Fields[] {
	const found = element[name];
	if (!Array.isArray(found)) return [];
	// An object of the parser is an element: its keys are strings, its values are not trusted.
	return found.map((child: unknown) =>
		typeof child === "object" && child !== null ? (child as Fields) : { "#text": child },
	);
}

function textIn(element: Fields): string {
	return typeof element["#text"] === "string" ? element["#text"] : "";
}
