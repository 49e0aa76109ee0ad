import { attempt } from "../../kernel/attempt.ts";
import { plainText } from "./parsed-report.ts";

const MAX_FAILURES = 100;

const MAX_NAME = 1_000;

const UNNAMED = "(no name)";

const TRX_FAILED =
	/<UnitTestResult\b(?=[^>]*\soutcome="(?:Failed|Error|Timeout|Aborted)")[^>]*\stestName="([^"]*)"/g;
const NUM_FAILED = /"numFailedTests"\s*:\s*[1-9]/g;
const FAILED_FILE =
	/^ *FAIL {1,2}(\S+\.[cm]?[jt]sx?\b.*)$|^ *Tests(?::| ) +(?:\d+ [a-z ]+[,|] )*([1-9]\d* failed)\b/gm;
const SPEC = /^ *✖ (.+) \(\d+(?:\.\d+)?ms\)$/gm;
const NODE_COUNT = /^(?:ℹ|#) (fail [1-9]\d*)$/gm;
const PYTEST =
	/^(\S+\.py(?:::.*)?) (?:FAILED|ERROR)(?: .*)?$|^(?:FAILED|ERROR) (\S+\.py(?:::\S+)?)(?: - .*)?$/gm;
const PYTEST_COUNT = /^(?:=+ )?(?:\d+ [a-z]+, )*([1-9]\d* (?:failed|errors?))\b.* in \d+\.\d\ds/gm;
const GO_TEXT = /^ *--- FAIL: (\S+) \(\d+\.\d+s\)$|^FAIL\t(\S+)(?:\t| )/gm;

/** Finds the names of failures in plain text. */
export type Finder = (text: string) => readonly string[];

export const inTap: Finder = notOk;
export const inJunit: Finder = junitFailures;
export const inTrx: Finder = (text) => named(text, TRX_FAILED);
export const inCtrf: Finder = (text) => jsonFailures(text, /"failed"\s*:\s*[1-9]/g);
export const inJest: Finder = (text) => [
	...jsonFailures(text, NUM_FAILED),
	...named(text, FAILED_FILE),
];
export const inNodeTest: Finder = (text) =>
	orElse([...notOk(text), ...named(text, SPEC)], () => named(text, NODE_COUNT));
export const inPytest: Finder = (text) =>
	orElse(named(text, PYTEST), () => named(text, PYTEST_COUNT));
export const inGoTest: Finder = (text) => [...named(text, GO_TEXT), ...goEvents(text)];

/**
 * Failures in a report that is not valid, such as a truncated one, in the places that the format defines and not in
 * quoted text; at most 100. Passing tests of such a report do not count.
 *
 * @example TAP without a plan, `ok 1 - a` and `not ok 2 - b`, gives `["b"]`
 */
export function failuresIn(find: Finder, text: string): readonly string[] {
	// A hostile text exhausts the stack of a pattern. The report stays invalid, without names.
	const names = new Set(attempt(() => find(plainText(text)), []));
	return [...names].slice(0, MAX_FAILURES).map((name) => name.trim().slice(0, MAX_NAME) || UNNAMED);
}

/** Summaries are needed only if no failure is named. */
function orElse(names: string[], counted: () => string[]): string[] {
	return names.length > 0 ? names : counted();
}

function named(text: string, pattern: RegExp): string[] {
	return [...text.matchAll(pattern)].map(
		// A group that did not take part is undefined.
		(match) => match.slice(1).find((group) => Boolean(group)) ?? UNNAMED,
	);
}

function notOk(text: string): string[] {
	const names: string[] = [];
	let block: number | undefined;
	for (const line of text.split("\n")) {
		block = blockAfter(line, block);
		const point = block === undefined ? /^ *not ok\b(?: *\d+)?(?: *- )?(.*)$/.exec(line) : null;
		if (point === null || /(?:^|\s)# *(?:todo|skip)/i.test(point[1] ?? "")) continue;
		names.push(point[1] ?? "");
	}
	return names;
}

function blockAfter(line: string, block: number | undefined): number | undefined {
	const indent = line.search(/\S/);
	if (block === undefined) return /^ +--- *$/.test(line) ? indent : undefined;
	// An unclosed block ends at the first line that is indented less.
	const ends = indent !== -1 && (indent < block || (indent === block && line.trim() === "..."));
	return ends ? undefined : block;
}

// A key with its value cannot be inside a JSON string, since its quotes would be escaped.
function jsonFailures(text: string, count: RegExp): string[] {
	const start = /^[ \t]*\{/m.exec(text)?.index;
	if (start === undefined) return [];
	const json = text.slice(start);
	const failed = [...json.matchAll(/"status"\s*:\s*"failed"/g), ...json.matchAll(count)];
	return failed.length === 0 ? [] : [UNNAMED];
}

const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:[^<>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)/g;

function junitFailures(text: string): string[] {
	// Also if the end of a comment or of quoted output is missing.
	const xml = text.replaceAll(
		/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(system-(?:out|err))>[\s\S]*?(?:<\/\1>|$)/g,
		"",
	);
	const names: string[] = [];
	let name: string | undefined;
	for (const [, closing, tag, attributes = ""] of xml.matchAll(TAG)) {
		if (tag === "testsuite" || tag === "testcase") {
			name = closing === "/" ? "" : (/\sname\s*=\s*["']([^"']*)/.exec(attributes)?.[1] ?? "");
		}
		const failed =
			tag === "failure" ||
			tag === "error" ||
			/\sstatus\s*=\s*["'](?:failed|error)["']/.test(attributes);
		if (failed && closing === "" && name !== undefined) names.push(name);
	}
	return names;
}

function goEvents(text: string): string[] {
	return [...text.matchAll(/^\{.*"Action":"fail".*$/gm)].map(([line]) => {
		const [test] = /"Test":"([^"\\]*)"/.exec(line)?.slice(1) ?? [];
		const [pkg] = /"Package":"([^"\\]*)"/.exec(line)?.slice(1) ?? [];
		return [pkg, test].filter((part) => part !== undefined).join(" > ");
	});
}
