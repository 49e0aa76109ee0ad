import { type Case, msBetween, type Suite, suitesOf } from "./cases.ts";
import { escapeMarkup } from "./escape.ts";
import type { RunResult } from "./run-result.ts";

type Attributes = Readonly<Record<string, string | number | null>>;

/** A run in JUnit's XML: a suite for each task, a case for each criterion, check and decision. */
export function junitOf(result: RunResult): string {
	const suites = suitesOf(result);
	const all = suites.flatMap(({ cases }) => cases);
	const { run, created_at: start, ended_at: end } = result;
	const attributes = {
		name: run.workflow,
		...counts(all),
		time: seconds(msBetween(start, end)),
		timestamp: start,
	};
	return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, suites.map(suite))}\n`;
}

function suite({ task, cases }: Suite): string {
	const { id, started_at: start, ended_at: end } = task;
	const time = seconds(msBetween(start, end));
	const attributes = { name: id, ...counts(cases), time, timestamp: start };
	return element(
		"testsuite",
		attributes,
		cases.map((each) => testCase(id, each)),
	);
}

function testCase(task: string, { name, status, message, details, ms }: Case): string {
	const outcome = OUTCOMES[status];
	const said = { message: message ?? "" };
	const body = details.length === 0 ? [] : [escapeMarkup(details.join("\n"))];
	return element(
		"testcase",
		{ name, classname: task, time: seconds(ms) },
		outcome === null ? [] : [element(outcome, said, body)],
	);
}

/** JUnit knows no case that is under way. */
const OUTCOMES = {
	passed: null,
	failed: "failure",
	error: "error",
	skipped: "skipped",
	pending: "skipped",
} as const;

function counts(cases: readonly Case[]) {
	const count = (...of: Case["status"][]): number =>
		cases.filter(({ status }) => of.includes(status)).length;
	return {
		tests: cases.length,
		failures: count("failed"),
		errors: count("error"),
		skipped: count("skipped", "pending"),
	};
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** @param content elements, or one escaped text */
function element(name: string, attributes: Attributes, content: readonly string[]): string {
	const said = Object.entries(attributes).flatMap(([key, value]) =>
		value === null ? [] : [` ${key}="${escapeMarkup(String(value)).replaceAll("\n", "&#10;")}"`],
	);
	const start = `<${name}${said.join("")}`;
	return content.length === 0 ? `${start}/>` : `${start}>${content.join("\n")}</${name}>`;
}
