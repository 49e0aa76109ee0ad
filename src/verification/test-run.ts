import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { plainText } from "../formats/reports/parsed-report.ts";

export type RunProblem =
	/** It did not end in time, or was killed. */
	| "stopped"
	| "not_started"
	| "setup"
	| "no_tests"
	| "not_loaded"
	| "network"
	| "touched"
	| "unclear";

/** One run of a verifier's tests on one tree. Plain data. */
export interface TestRun {
	/** `none`: it says nothing, and `problem` says why. */
	readonly status: "pass" | "fail" | "none";
	readonly problem: RunProblem | null;
	/** Cases that ran, as far as the runner named them; of one that names nothing the whole run is one. */
	readonly cases: readonly TestCase[];
	/** Ids of failed cases whose code could not be loaded. */
	readonly notLoaded: readonly string[];
	/** True where cases that passed are named as well. */
	readonly namesPassed: boolean;
	/** Tests that ran; null where nothing counted them. */
	readonly ran: number | null;
	/** End of the output, masked. */
	readonly tail: string;
	/** File with the output, relative to the state directory. */
	readonly outputPath: string | null;
	readonly ms: number;
}

export const wholeRun = (command: string): string => command.trim().replaceAll(/\s+/g, " ");

/**
 * One run of the tests, from its judgement as an acceptance check without a report, its whole output (masked) and
 * its command.
 */
export function testRunOf(evidence: Evidence, output: string, command: string): TestRun {
	const { counts, outputPath, ms, exitCode } = evidence;
	const tail = evidence.outputTail;
	const named = evidence.cases ?? namedCases(output);
	const failed = named.some(({ status }) => status === "failed");
	const isFail = (counts?.failed ?? 0) > 0 || (exitCode !== null && exitCode !== 0);
	const known = named.length > 0 && (failed || !isFail);
	const status = isFail ? ("failed" as const) : ("passed" as const);
	const whole: TestCase = { id: wholeRun(command), status, ...(isFail ? { message: tail } : {}) };
	const cases = known ? named : [whole];
	const counted = (counts?.failed ?? 0) > 0;
	const run = {
		cases,
		notLoaded: cases
			.filter((each) => each.status === "failed")
			.filter((each) => (known ? isNotLoaded(each) : isRunNotLoaded(tail, counted)))
			.map(({ id }) => id),
		namesPassed: known && named.some((each) => each.status === "passed"),
		ran: counts === null ? null : counts.total - counts.skipped,
		tail,
		outputPath,
		ms,
	};
	const problem = problemOf(evidence, run, isFail);
	if (problem !== null) return { ...run, status: "none", problem };
	return { ...run, status: isFail ? "fail" : "pass", problem: null };
}

function problemOf(
	{ status, outputPath, started, exitCode, touched, counts }: Evidence,
	{ cases, notLoaded, tail }: Pick<TestRun, "cases" | "notLoaded" | "tail">,
	isFail: boolean,
): RunProblem | null {
	if (outputPath === null) return "setup";
	if (!started) return "not_started";
	if (exitCode === null) return "stopped";
	if (exitCode === 126 || exitCode === 127) return "not_started";
	if (touched.length > 0) return "touched";
	if (counts !== null && counts.total - counts.skipped === 0) return "no_tests";
	if (!isFail) return status === "error" ? "unclear" : null;
	const failed = cases.filter((each) => each.status === "failed");
	if (failed.every(({ message }) => wantsNetwork(message ?? tail))) return "network";
	return failed.every(({ id }) => notLoaded.includes(id)) ? "not_loaded" : null;
}

const MAX_CASES = 2_000;
const MAX_MESSAGE = 2_000;

const FAILED: readonly RegExp[] = [
	// node --test: the list below "failing tests", each with its message.
	/^test at \S+\n✖ (.+) \(\d+(?:\.\d+)?ms\)$/gm,
	// vitest
	/^ *FAIL {1,2}(\S+\.[cm]?[jt]sx? > .+)$/gm,
	// jest
	/^ {2}● (.+)$/gm,
	// pytest
	/^(?:FAILED|ERROR) (\S+\.py(?:::\S+)?)/gm,
	// go test
	/^ *--- FAIL: (\S+) \(\d+\.\d+s\)$/gm,
	// unittest
	/^(?:FAIL|ERROR): (\w+ \([\w.]+\))$/gm,
];

const PASSED: readonly RegExp[] = [
	/^ *✔ (.+) \(\d+(?:\.\d+)?ms\)$/gm,
	/^ *✓ (.+?)(?: \(?\d+ ?ms\)?)?$/gm,
	/^(\S+\.py::\S+) PASSED\b/gm,
	/^ *--- PASS: (\S+) \(\d+\.\d+s\)$/gm,
	/^(\w+ \([\w.]+\)) \.\.\. ok$/gm,
];

function messageAfter(text: string, at: number): string {
	const rest = text.slice(at, at + 4 * MAX_MESSAGE).replace(/^[^\n]*\n?(?:[-=]{5,}\n)?/, "");
	const end =
		/^(?:test at |✖ | *FAIL {1,2}\S| {2}● |(?:FAILED|ERROR) \S|(?:FAIL|ERROR): |=+|_+ |-{20,}| *--- )/m.exec(
			rest,
		);
	return rest
		.slice(0, end?.index ?? rest.length)
		.trim()
		.slice(0, MAX_MESSAGE);
}

const messageBeside = (text: string, end: number): string =>
	/^ - (.+)$/m.exec(text.slice(end, end + MAX_MESSAGE).split("\n", 1)[0] ?? "")?.[1] ?? "";

function failedCases(text: string): TestCase[] {
	return FAILED.flatMap((pattern) =>
		Array.from(text.matchAll(pattern), (match): TestCase => {
			const id = match[1]?.trim() ?? "";
			const end = match.index + match[0].length;
			const message = messageBeside(text, end) || messageAfter(text, end);
			return message === "" ? { id, status: "failed" } : { id, status: "failed", message };
		}),
	);
}

const VITEST = /^ *Test Files {2}\d/m;

function passedCases(text: string): TestCase[] {
	const names = PASSED.flatMap((pattern) =>
		Array.from(text.matchAll(pattern), ([, name = ""]) => name.trim()),
	);
	const whole = VITEST.test(text) ? names.filter((name) => name.includes(" > ")) : names;
	return whole.map((id) => ({ id, status: "passed" }));
}

// Failed ones first, each name once. Many runners name only what failed, and a program under test can print such
// lines as well: names decide nothing by themselves.
export function namedCases(output: string): TestCase[] {
	const text = plainText(output);
	const cases = new Map<string, TestCase>();
	for (const found of [...failedCases(text), ...passedCases(text)]) {
		if (cases.size >= MAX_CASES) break;
		if (!cases.has(found.id)) cases.set(found.id, found);
	}
	return [...cases.values()];
}

// A module is not there, lacks what is asked of it, or cannot be parsed. Data is parsed, too.
const ERRORS = [
	"(?:\\w*Error(?: \\[ERR_\\w+\\])?: )?Cannot find (?:module|package) ",
	"(?:\\w*Error: )?.*does not provide an export named ",
	"(?:Error: )?Failed to (?:load url|resolve import|resolve entry) ",
	"(?:ModuleNotFoundError|ImportError|IndentationError|TabError): ",
	"SyntaxError: (?!.*(?:\\bJSON\\b|regular expression))",
	"Jest encountered an unexpected token",
].join("|");

const ERROR = new RegExp(`^(?:${ERRORS})`);

const COMMANDS = [
	"\\S+\\.go:\\d+:\\d+: undefined: ",
	"error\\[E\\d+\\]: ",
	"\\S+\\.java:\\d+: error: cannot find symbol",
	"\\S+: (?:\\d+: )?(?:\\.: )?(?:can't|cannot) open ",
	"\\S+: (?:\\d+: |line \\d+: )?cd: (?:can't cd to |\\S+: No such )",
	"\\S+: (?:-c: )?(?:line )?(?:\\d+: )?(?:[Ss]yntax error\\b|unexpected EOF )",
	"make(?:\\[\\d+\\])?: \\*\\*\\* No rule to make target ",
	"npm (?:error|ERR!) (?:Missing script: |could not determine executable)",
	"\\S*python[\\d.]*: No module named ",
	"Can't (?:open perl script|locate \\S+ in @INC) ",
	"Could not find '",
	"ERROR: file or directory not found: ",
	"No test(?: file)?s found, exiting with code ",
].join("|");

const ERROR_LINE = new RegExp(`^(?:${ERRORS}|${COMMANDS})`, "m");

const RUNNERS_LINE =
	/^FAIL\t\S+ \[(?:build|setup) failed\]|^_* ?ERROR collecting |^!+ .*errors? during collection !+$|^ *● Test suite failed to run$|^ERROR: \S+ \(unittest\.loader\._FailedTest|no required module provides package /m;

const NETWORK =
	/\b(?:getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|connect E(?:NETUNREACH|HOSTUNREACH)|Could not resolve host: |Temporary failure in name resolution|Name or service not known|Network is unreachable|dial tcp: lookup \S+.*: no such host)/;

const ASSERTION = /^(?:assert\b|Assert|\w*AssertionError|expect\()/;

/** The source that runners print around a failure: `  1| import ...`, `> 12 | ...`. */
const SOURCE_LINE = /^ *>? *\d+ ?\|.*$/gm;

const COLLECTED = /^collection failure\n/;

const A_FILE = /^\S+\.(?:[cm]?[jt]sx?|py|go|rb|rs|php|java|kt)$/;

function errorLine(message: string): string {
	const below =
		/^\[Error \[ERR_TEST_FAILURE\].*\n(?:.*\n)*? *cause: (.*)/.exec(message) ??
		/^E {2,}(.*)/m.exec(message);
	return below?.[1] ?? message.trimStart().split("\n", 1)[0] ?? "";
}

function isWholeFile(id: string): boolean {
	const parts = id.split(" > ");
	const [first = "", last = ""] = [parts[0], parts.at(-1)];
	if (parts.length > 1) return last === "(file)" || (A_FILE.test(last) && first.endsWith(last));
	return A_FILE.test(id) || id === "Test suite failed to run" || /_FailedTest\b/.test(id);
}

// By what its runner calls it, or by the error that its message begins with: words further on may be the product's,
// or the test's own. `AssertionError: 'Cannot find module' == 'ok'` was loaded.
export function isNotLoaded({ id, message = "" }: Pick<TestCase, "id" | "message">): boolean {
	return isWholeFile(id) || ERROR.test(errorLine(message)) || COLLECTED.test(message);
}

export function isRunNotLoaded(output: string, counted: boolean): boolean {
	return RUNNERS_LINE.test(output) || (!counted && ERROR_LINE.test(output));
}

export function wantsNetwork(text: string): boolean {
	return !ASSERTION.test(errorLine(text)) && NETWORK.test(text.replaceAll(SOURCE_LINE, ""));
}

/** The last part of a case's id, which is how its file spells it: `a.test.ts > adds > zero` is `zero`. */
export function titleOf(id: string): string {
	return (
		id
			.split(/ > | › |::/)
			.at(-1)
			?.replace(/ #\d+$/, "")
			.replace(/ \([\w.]+\)$/, "")
			.trim() ?? id
	);
}
