import type { TestCase } from "../../evidence/evidence.ts";
import { type Fields, isFields, parseJsonReport, textOf, textsOf } from "./json-report.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";
import { sumSummaries } from "./text-summary.ts";

const STATUS: Readonly<Record<string, TestCase["status"]>> = {
	passed: "passed",
	failed: "failed",
	skipped: "skipped",
	pending: "skipped",
	todo: "skipped",
	disabled: "skipped",
	focused: "passed",
};

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
	if (!Array.isArray(files)) return refuse("testResults is not a list");
	const list = new CaseList();
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	for (const file of files as unknown[]) {
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
	if (!Array.isArray(results)) return `the results of ${name} are not a list`;
	let failing = 0;
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	for (const result of results as unknown[]) {
		if (!isFields(result)) return `a result of ${name} is not an object`;
		const status = STATUS[textOf(result["status"])];
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
