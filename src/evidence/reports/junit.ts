import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { TestCase } from "../evidence.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";

/** An element from the parser: attributes with `@`, text as `#text`, children by name. */
type Element = Readonly<Record<string, unknown>>;

const LISTS: ReadonlySet<string> = new Set([
	"testsuites",
	"testsuite",
	"testcase",
	"failure",
	"error",
	"skipped",
]);

/** A document type, after an optional declaration and comments. */
const DOCTYPE = /^\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<!DOCTYPE/i;

/**
 * Reads JUnit XML. The cases decide. Of the counts that a suite states only this is used: failures that it states and
 * lists nowhere are one failing case.
 *
 * A case with a `failure` or `error` child fails; one with a `skipped` child is skipped. An error of a suite itself is a
 * failing case. Ids are `file or class > name`. A document type, and with it every entity, makes the report invalid.
 */
export function parseJunit(text: string): ParsedReport {
	const xml = plainText(text);
	if (DOCTYPE.test(xml.slice(0, 10_000))) return refuse("it declares a document type");
	const wellFormed = XMLValidator.validate(xml, { allowBooleanAttributes: false });
	if (wellFormed !== true) {
		const { msg, line } = wellFormed.err;
		return refuse(`not well-formed XML: ${msg} (line ${line})`);
	}
	// The parser gives an object by element name for every well-formed text.
	const root = parserOfReports().parse(xml) as Element;
	const suites = [...children(root, "testsuites"), ...children(root, "testsuite")];
	if (suites.length === 0) return refuse("it has no testsuites or testsuite element");
	const list = new CaseList();
	for (const suite of suites) readSuite(suite, list);
	return list.report();
}

function parserOfReports(): XMLParser {
	return new XMLParser({
		ignoreAttributes: false,
		attributeNamePrefix: "@",
		parseTagValue: false,
		parseAttributeValue: false,
		htmlEntities: true,
		maxNestedTags: 200,
		isArray: (name) => LISTS.has(name),
	});
}

/** @returns how many failing cases the suite and those inside it list */
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

/** `node --test` lists a file without tests as a passing case with its path as the name. */
function isEmptyFile(testCase: Element): boolean {
	const [file, name] = [attribute(testCase, "file"), attribute(testCase, "name")];
	const isFile = name !== "" && (file === name || file.endsWith(`/${name}`));
	return isFile && attribute(testCase, "classname") === "test";
}

/** File, class and name, each once. Without a class, the suite's name is used. */
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

/** Values of `status` for cases that did not run. */
const NOT_RUN: ReadonlySet<string> = new Set(["notrun", "skipped", "disabled", "pending"]);

function messageOf(problem: Element): string {
	const message = attribute(problem, "message");
	const text = typeof problem["#text"] === "string" ? problem["#text"] : "";
	return text.includes(message) ? text : `${message}\n${text}`;
}

function attribute(element: Element, name: string): string {
	const value = element[`@${name}`];
	return typeof value === "string" ? value : "";
}

/** Child elements. The parser gives an element with only text, or without content, as text. */
function children(element: Element, name: string): Element[] {
	const found = element[name];
	if (!Array.isArray(found)) return [];
	// An object of the parser is an element: its keys are strings, its values are not trusted.
	return found.map((child: unknown) =>
		typeof child === "object" && child !== null ? (child as Element) : { "#text": child },
	);
}
