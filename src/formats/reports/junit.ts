import type { TestCase } from "../../evidence/evidence.ts";
import { CaseList, type ParsedReport, refuse } from "./parsed-report.ts";
import { attribute, children, type Element, readXml, textIn } from "./xml-elements.ts";

const LISTS: ReadonlySet<string> = new Set([
	"testsuites",
	"testsuite",
	"testcase",
	"failure",
	"error",
	"skipped",
]);

/**
 * Reads JUnit XML. The cases decide; failures that a suite states and lists nowhere are one failing case, and so is an
 * error of a suite itself. A case that its suite lists again after it failed is its next try, which counts. Ids are
 * `file or class > name`.
 */
export function parseJunit(text: string): ParsedReport {
	const read = readXml(text, LISTS);
	if (read.kind === "invalid") return read;
	const { root } = read;
	const suites = [...children(root, "testsuites"), ...children(root, "testsuite")];
	if (suites.length === 0) return refuse("it has no testsuites or testsuite element");
	const list = new CaseList();
	for (const suite of suites) readSuite(suite, list);
	return list.report();
}

function readSuite(suite: Element, list: CaseList): number {
	const failed = readCases(suite, list);
	const stated = statedFailures(suite);
	if (failed > 0 || stated === 0) return failed;
	const message = `the suite states ${stated} failures and errors, and lists none of them`;
	list.add([attribute(suite, "name"), "(suite)"], "failed", message);
	return 1;
}

function statedFailures(suite: Element): number {
	const counts = ["failures", "errors"].map((name) => Number(attribute(suite, name)));
	return counts.reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : Math.max(count, 0)), 0);
}

function readCases(suite: Element, list: CaseList): number {
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
function isEmptyFile(testCase: Element): boolean {
	const [file, name] = [attribute(testCase, "file"), attribute(testCase, "name")];
	const isFile = name !== "" && (file === name || file.endsWith(`/${name}`));
	return isFile && attribute(testCase, "classname") === "test";
}

function pathOf(testCase: Element, suite: Element): string[] {
	const file = attribute(testCase, "file");
	const group = attribute(testCase, "classname") || attribute(suite, "name");
	const name = attribute(testCase, "name");
	return file === "" || file === group ? [group, name] : [file, group, name];
}

function resultOf(testCase: Element): { status: TestCase["status"]; message?: string } {
	const [problem] = [...children(testCase, "failure"), ...children(testCase, "error")];
	if (problem !== undefined) return { status: "failed", message: messageOf(problem) };
	const stated = attribute(testCase, "status").toLowerCase();
	if (stated === "failed" || stated === "error") return { status: "failed" };
	const skipped = children(testCase, "skipped").length > 0;
	return { status: skipped || NOT_RUN.has(stated) ? "skipped" : "passed" };
}

const NOT_RUN: ReadonlySet<string> = new Set(["notrun", "skipped", "disabled", "pending"]);

function messageOf(problem: Element): string {
	const message = attribute(problem, "message");
	const text = textIn(problem);
	return text.includes(message) ? text : `${message}\n${text}`;
}
