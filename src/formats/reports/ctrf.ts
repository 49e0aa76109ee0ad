import type { TestCase } from "../../evidence/evidence.ts";
import { isFields, parseJsonReport, textOf, textsOf } from "./json-report.ts";
import { CaseList, type ParsedReport, plainText, refuse } from "./parsed-report.ts";

const STATUS: Readonly<Record<string, TestCase["status"]>> = {
	passed: "passed",
	failed: "failed",
	skipped: "skipped",
	pending: "skipped",
	other: "skipped",
};

export function parseCtrf(text: string): ParsedReport {
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return refuse("not a JSON object");
	const results = root["results"];
	if (!isFields(results) || !Array.isArray(results["tests"])) {
		return refuse("results.tests is not a list");
	}
	const list = new CaseList();
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	for (const [index, test] of (results["tests"] as unknown[]).entries()) {
		if (!isFields(test)) return refuse(`results.tests[${index}] is not an object`);
		const status = STATUS[textOf(test["status"])];
		if (status === undefined) return refuse(`results.tests[${index}].status is not a CTRF status`);
		const suite = Array.isArray(test["suite"]) ? textsOf(test["suite"]) : [textOf(test["suite"])];
		const path = [textOf(test["filePath"]), ...suite, textOf(test["name"])];
		list.add(path, status, textOf(test["message"]) || textOf(test["trace"]));
	}
	return list.report();
}
