import type { TestFormat } from "../parse-report.ts";
import { plainText } from "./parsed-report.ts";

/** Failures kept of a broken report: enough to work on. */
const MAX_FAILURES = 100;

/** Characters kept of the name of a failure. */
const MAX_NAME = 1_000;

const UNNAMED = "(no name)";

type Find = (text: string) => readonly string[];

const FINDERS: Readonly<Record<TestFormat, Find>> = {
	tap: notOk,
	junit: junitFailures,
	ctrf: (text) => jsonFailures(text, /"failed"\s*:\s*[1-9]/g),
	jest: (text) => [...jsonFailures(text, NUM_FAILED), ...named(text, FAILED_FILE)],
	vitest: (text) => [...jsonFailures(text, NUM_FAILED), ...named(text, FAILED_FILE)],
	"node-test": (text) =>
		orElse([...notOk(text), ...named(text, SPEC)], () => named(text, NODE_COUNT)),
	pytest: (text) => orElse(named(text, PYTEST), () => named(text, PYTEST_COUNT)),
	"go-test": (text) => [...named(text, GO_TEXT), ...goEvents(text)],
};

const NUM_FAILED = /"numFailedTests"\s*:\s*[1-9]/g;
/** ` FAIL  test/a.test.ts > adds` of vitest and `FAIL test/a.test.js` of jest, and their closing lines. */
const FAILED_FILE =
	/^ *FAIL {1,2}(\S+\.[cm]?[jt]sx?\b.*)$|^ *Tests(?::| ) +(?:\d+ [a-z ]+[,|] )*([1-9]\d* failed)\b/gm;
const SPEC = /^ *✖ (.+) \(\d+(?:\.\d+)?ms\)$/gm;
const NODE_COUNT = /^(?:ℹ|#) (fail [1-9]\d*)$/gm;
const PYTEST =
	/^(\S+\.py(?:::.*)?) (?:FAILED|ERROR)(?: .*)?$|^(?:FAILED|ERROR) (\S+\.py(?:::\S+)?)(?: - .*)?$/gm;
const PYTEST_COUNT = /^(?:=+ )?(?:\d+ [a-z]+, )*([1-9]\d* (?:failed|errors?))\b.* in \d+\.\d\ds/gm;
const GO_TEXT = /^ *--- FAIL: (\S+) \(\d+\.\d+s\)$|^FAIL\t(\S+)(?:\t| )/gm;

/**
 * What failed according to a report that cannot be read as a whole, such as one that is cut: the names of failures
 * that stand where the format puts them, outside of what it quotes. At most 100; a failure without a name counts too.
 *
 * It finds failures only: what a broken report says of tests that passed is never believed.
 *
 * @example TAP without a plan, `ok 1 - a` and `not ok 2 - b`, gives `["b"]`
 */
export function failuresIn(format: TestFormat, text: string): readonly string[] {
	const names = FINDERS[format](plainText(text));
	return [...new Set(names)]
		.slice(0, MAX_FAILURES)
		.map((name) => name.trim().slice(0, MAX_NAME) || UNNAMED);
}

/** What closing lines count is only needed where nothing is named. */
function orElse(names: string[], counted: () => string[]): string[] {
	return names.length > 0 ? names : counted();
}

/** The first group that matched, for each match. */
function named(text: string, pattern: RegExp): string[] {
	return [...text.matchAll(pattern)].map(
		// A group that took no part is undefined, which empty text stands for here.
		(match) => match.slice(1).find((group) => Boolean(group)) ?? UNNAMED,
	);
}

/** Test points that are not ok, at any depth; none inside a YAML block, and none that is marked TODO or SKIP. */
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

/** Indentation of the YAML block that a line of TAP stands in; undefined outside of one, and for the line that ends it. */
function blockAfter(line: string, block: number | undefined): number | undefined {
	const indent = line.search(/\S/);
	if (block === undefined) return /^ +--- *$/.test(line) ? indent : undefined;
	// A block that nobody closed ends with the first line that stands left of it.
	const ends = indent !== -1 && (indent < block || (indent === block && line.trim() === "..."));
	return ends ? undefined : block;
}

/** A key and its value cannot stand in a string of JSON: its quotes would be escaped there. */
function jsonFailures(text: string, count: RegExp): string[] {
	const start = /^[ \t]*\{/m.exec(text)?.index;
	if (start === undefined) return [];
	const json = text.slice(start);
	const failed = [...json.matchAll(/"status"\s*:\s*"failed"/g), ...json.matchAll(count)];
	return failed.length === 0 ? [] : [UNNAMED];
}

/** One start or end tag, or what a cut left of it; what stands inside an attribute is part of the tag. */
const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:[^<>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)/g;

function junitFailures(text: string): string[] {
	// Also where the end of a comment or of quoted output is cut off.
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
