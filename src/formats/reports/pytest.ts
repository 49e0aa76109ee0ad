import type { TestCase } from "../../evidence/evidence.ts";
import {
	CaseList,
	countsReport,
	type ParsedReport,
	plainText,
	type ReportCounts,
	refuse,
} from "./parsed-report.ts";
import { sumSummaries } from "./text-summary.ts";

const STATUS: Readonly<Record<string, TestCase["status"]>> = {
	PASSED: "passed",
	XPASS: "passed",
	FAILED: "failed",
	ERROR: "failed",
	SKIPPED: "skipped",
	XFAIL: "skipped",
};

const CASE = /^(\S+\.py(?:::.*)?) (PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)(?: .*)?$/gm;

/**
 * Reads the output of pytest. With `-v` it names cases, which count only if they agree with the summary line;
 * otherwise that gives counts. Errors are failures.
 */
export function parsePytest(text: string): ParsedReport {
	const plain = plainText(text);
	const printed = sumSummaries("pytest", plain) ?? refuse("no summary line of pytest");
	if (printed.kind !== "counts") return printed;
	const summary = withoutSubtests(printed.counts, plain);
	if (summary.kind !== "counts") return summary;
	const messages = messagesOf(plain);
	const list = new CaseList();
	for (const [, id = "", word = ""] of plain.matchAll(CASE)) {
		list.add([id], STATUS[word] ?? "failed", messages.get(id));
	}
	return list.agreeing(summary.counts) ?? summary;
}

/** pytest 9 counts each subtest that fails as a failure, and the test of unittest around it as passed. */
function withoutSubtests({ passed, failed, skipped }: ReportCounts, text: string): ParsedReport {
	const parts = [...text.matchAll(/^SUBFAILED\S* (\S+\.py::\S+)(?: - .*)?$/gm)];
	const around = new Set(parts.map(([, id = ""]) => id));
	for (const id of messagesOf(text).keys()) around.delete(id);
	const hidden = Math.min(around.size, passed);
	const left = Math.max(Math.min(failed, 1), failed - parts.length + hidden);
	return countsReport({ passed: passed - hidden, failed: left, skipped });
}

function messagesOf(text: string): Map<string, string> {
	const messages = new Map<string, string>();
	for (const [, id = "", message = ""] of text.matchAll(/^(?:FAILED|ERROR) (\S+) - (.*)$/gm)) {
		messages.set(id, message);
	}
	return messages;
}
