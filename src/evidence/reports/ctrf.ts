import type { TestCase } from "../evidence.ts";
import { isFields, parseJsonReport, textOf, textsOf } from "./json-report.ts";
import { CaseList, invalid, type ParsedReport, plainText, tooLong } from "./parsed-report.ts";

const STATUS: Readonly<Record<string, TestCase["status"]>> = {
	passed: "passed",
	failed: "failed",
	skipped: "skipped",
	pending: "skipped",
	other: "skipped",
};

/** Reads the Common Test Report Format. The summary is not used; `pending` and `other` did not run. */
export function parseCtrf(text: string): ParsedReport {
	const long = tooLong(text);
	if (long !== undefined) return long;
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return invalid("not a JSON object");
	const results = root["results"];
	if (!isFields(results) || !Array.isArray(results["tests"])) {
		return invalid("results.tests is no list");
	}
	const list = new CaseList();
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	for (const [index, test] of (results["tests"] as unknown[]).entries()) {
		if (!isFields(test)) return invalid(`results.tests[${index}] is no object`);
		const status = STATUS[textOf(test["status"])];
		if (status === undefined) return invalid(`results.tests[${index}].status is none of CTRF`);
		const suite = Array.isArray(test["suite"]) ? textsOf(test["suite"]) : [textOf(test["suite"])];
		const path = [textOf(test["filePath"]), ...suite, textOf(test["name"])];
		list.add(path, status, textOf(test["message"]) || textOf(test["trace"]));
	}
	return list.report();
}
