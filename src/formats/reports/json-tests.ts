import type { TestCase } from "../../evidence/evidence.ts";
import { type Fields, isFields } from "../../kernel/fields.ts";
import { isList, parseJsonReport, textOf, textsOf } from "./json-report.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";
import { sumSummaries } from "./text-summary.ts";

// Maps: `constructor` is a member of each object, and no status.
type Statuses = ReadonlyMap<string, TestCase["status"]>;

const COMMON: Statuses = new Map([
	["passed", "passed"],
	["failed", "failed"],
	["skipped", "skipped"],
	["pending", "skipped"],
]);

const OF_CTRF: Statuses = new Map([...COMMON, ["other", "skipped"]]);
const OF_JEST: Statuses = new Map([
	...COMMON,
	["todo", "skipped"],
	["disabled", "skipped"],
	["focused", "passed"],
]);

export function parseCtrf(text: string): ParsedReport {
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return refuse("not a JSON object");
	const results = root["results"];
	if (!isFields(results) || !isList(results["tests"])) {
		return refuse("results.tests is not a list");
	}
	const list = new CaseList();
	for (const [index, test] of results["tests"].entries()) {
		if (!isFields(test)) return refuse(`results.tests[${index}] is not an object`);
		const status = OF_CTRF.get(textOf(test["status"]));
		if (status === undefined) return refuse(`results.tests[${index}].status is not a CTRF status`);
		const suite = isList(test["suite"]) ? textsOf(test["suite"]) : [textOf(test["suite"])];
		const path = [textOf(test["filePath"]), ...suite, textOf(test["name"])];
		list.add(path, status, textOf(test["message"]) || textOf(test["trace"]));
	}
	return list.report();
}

export function parseJest(text: string): ParsedReport {
	const plain = plainText(text);
	return parseJestJson(plain) ?? sumSummaries("jest", plain) ?? refuse("no results of jest");
}

export function parseVitest(text: string): ParsedReport {
	const plain = plainText(text);
	return sumSummaries("vitest", plain) ?? parseJestJson(plain) ?? refuse("no results of vitest");
}

/**
 * Reads the JSON of jest, which vitest's `--reporter=json` writes too. A test file that does not load is a failing
 * case.
 */
function parseJestJson(text: string): ParsedReport | undefined {
	const root = parseJsonReport(text);
	if (!isFields(root)) return undefined;
	const files = root["testResults"];
	if (!isList(files)) return refuse("testResults is not a list");
	const list = new CaseList();
	for (const file of files) {
		const problem = isFields(file)
			? readFile(file, list)
			: "testResults has an entry that is not an object";
		if (problem !== undefined) return refuse(problem);
	}
	return list.report();
}

function readFile(file: Fields, list: CaseList): string | undefined {
	const name = textOf(file["name"]) || textOf(file["testFilePath"]);
	const results = file["assertionResults"] ?? file["testResults"] ?? [];
	if (!isList(results)) return `the results of ${name} are not a list`;
	let failing = 0;
	for (const result of results) {
		if (!isFields(result)) return `a result of ${name} is not an object`;
		const status = OF_JEST.get(textOf(result["status"]));
		if (status === undefined) return `a result of ${name} has an unknown status`;
		if (status === "failed") failing += 1;
		const title = textOf(result["title"]) || textOf(result["fullName"]);
		const path = [name, ...textsOf(result["ancestorTitles"]), title];
		list.add(path, status, textsOf(result["failureMessages"]).join("\n"));
	}
	if (file["status"] === "failed" && failing === 0) {
		list.add([name, "(file)"], "failed", textOf(file["message"]));
	}
	return undefined;
}
