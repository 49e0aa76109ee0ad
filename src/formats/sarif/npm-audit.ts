import { type Fields, fieldAt, isFields } from "../../kernel/fields.ts";
import { isList, parseJsonReport, textOf } from "../reports/json-report.ts";
import { isCount, plainText, refuse } from "../reports/parsed-report.ts";
import {
	failuresAmong,
	MAX_MESSAGE,
	type ReportedResult,
	type ResultLevel,
	type ResultsReport,
} from "./reported-result.ts";

const LEVELS: Readonly<Record<string, ResultLevel>> = {
	critical: "error",
	high: "error",
	moderate: "warning",
	low: "note",
	info: "note",
};

/**
 * Reads `npm audit --json` of npm 7 and later: one result per advisory and package, none for a package that is only
 * affected through another. Invalid where the registry refused, or vulnerabilities are counted without an advisory.
 */
export function parseNpmAudit(text: string): ResultsReport {
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return refuse("not a JSON object");
	if (root["error"] !== undefined) {
		return refuse(`npm audit failed: ${textOf(root["message"]) || "no reason given"}`);
	}
	const packages = root["vulnerabilities"];
	if (root["auditReportVersion"] !== 2 || !isFields(packages)) {
		return refuse("it is not an audit report of npm 7 or later");
	}
	const results = new Map<string, ReportedResult>();
	let problem: string | undefined;
	for (const [name, entry] of Object.entries(packages)) {
		const found = readPackage(name, entry, results);
		problem ??= found;
	}
	const named = [...results.values()];
	if (problem !== undefined) return refuse(problem, failuresAmong(named));
	const total = fieldAt(root, "metadata", "vulnerabilities", "total");
	if (!isCount(total))
		return refuse("it does not state the number of vulnerabilities", failuresAmong(named));
	if (named.length === 0 && total > 0) {
		const counted = `${total} vulnerabilities`;
		return refuse(`it counts ${counted} but names no advisory`, [counted]);
	}
	return { kind: "results", results: named };
}

function readPackage(
	name: string,
	entry: unknown,
	into: Map<string, ReportedResult>,
): string | undefined {
	const via = fieldAt(entry, "via");
	if (!isList(via)) return `the entry of ${name} has no list "via"`;
	for (const cause of via) {
		if (typeof cause === "string") continue;
		const result = isFields(cause) ? advisory(name, cause) : undefined;
		if (result === undefined) return `an advisory on ${name} has no known severity`;
		into.set(`${result.rule}\n${result.identity}`, result);
	}
	return undefined;
}

function advisory(entry: string, fields: Fields): ReportedResult | undefined {
	const severity = textOf(fields["severity"]);
	const level = Object.hasOwn(LEVELS, severity) ? LEVELS[severity] : undefined;
	if (level === undefined) return undefined;
	const name = textOf(fields["name"]) || entry;
	const url = textOf(fields["url"]);
	const id = url.slice(url.lastIndexOf("/") + 1);
	return {
		rule: id || String(fields["source"]),
		level,
		location: null,
		line: null,
		snippet: null,
		identity: name,
		message: `${name} ${textOf(fields["range"])}: ${textOf(fields["title"])} (${severity})`.slice(
			0,
			MAX_MESSAGE,
		),
		suppressed: false,
	};
}
