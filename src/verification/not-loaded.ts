import type { TestCase } from "../evidence/evidence.ts";

/** How interpreters say that a module is not there, lacks what is asked of it, or cannot be parsed. Data is parsed, too. */
const ERRORS = [
	"(?:\\w*Error(?: \\[ERR_\\w+\\])?: )?Cannot find (?:module|package) ",
	"(?:\\w*Error: )?.*does not provide an export named ",
	"(?:Error: )?Failed to (?:load url|resolve import|resolve entry) ",
	"(?:ModuleNotFoundError|ImportError|IndentationError|TabError): ",
	"SyntaxError: (?!.*(?:\\bJSON\\b|regular expression))",
	"Jest encountered an unexpected token",
].join("|");

const ERROR = new RegExp(`^(?:${ERRORS})`);

/** How shells, compilers and tools say it of what they were to run: a script, a module, a file, a target. */
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

/** Likewise in the output of a program that names no cases, at the start of a line. */
const ERROR_LINE = new RegExp(`^(?:${ERRORS}|${COMMANDS})`, "m");

/** What runners print of a file that they could not load, or of a package that does not build. */
const RUNNERS_LINE =
	/^FAIL\t\S+ \[(?:build|setup) failed\]|^_* ?ERROR collecting |^!+ .*errors? during collection !+$|^ *● Test suite failed to run$|^ERROR: \S+ \(unittest\.loader\._FailedTest|no required module provides package /m;

/** How resolvers and sockets say that they cannot reach another machine. */
const NETWORK =
	/\b(?:getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|connect E(?:NETUNREACH|HOSTUNREACH)|Could not resolve host: |Temporary failure in name resolution|Name or service not known|Network is unreachable|dial tcp: lookup \S+.*: no such host)/;

/** An assertion speaks of what the product did, whatever the words are that it compares. */
const ASSERTION = /^(?:assert\b|Assert|\w*AssertionError|expect\()/;

/** The source that runners print around a failure: `  1| import ...`, `> 12 | ...`. */
const SOURCE_LINE = /^ *>? *\d+ ?\|.*$/gm;

/** So pytest reports a file that it could not load. */
const COLLECTED = /^collection failure\n/;

const A_FILE = /^\S+\.(?:[cm]?[jt]sx?|py|go|rb|rs|php|java|kt)$/;

/** The line that says what went wrong: node:test reports it below an error of its own, pytest below the source. */
function errorLine(message: string): string {
	const below =
		/^\[Error \[ERR_TEST_FAILURE\].*\n(?:.*\n)*? *cause: (.*)/.exec(message) ??
		/^E {2,}(.*)/m.exec(message);
	return below?.[1] ?? message.trimStart().split("\n", 1)[0] ?? "";
}

/** A runner names a whole file, or says so, where it could not load it. */
function isWholeFile(id: string): boolean {
	const parts = id.split(" > ");
	const [first = "", last = ""] = [parts[0], parts.at(-1)];
	if (parts.length > 1) return last === "(file)" || (A_FILE.test(last) && first.endsWith(last));
	return A_FILE.test(id) || id === "Test suite failed to run" || /_FailedTest\b/.test(id);
}

/**
 * Whether a case failed because its code could not be loaded, rather than because it does the wrong thing: by what its
 * runner calls it, or by the error that its message begins with. Words further on may be the product's, or the test's own.
 *
 * @example `Error: Cannot find module './a.js'` was not loaded; `AssertionError: 'Cannot find module' == 'ok'` was
 */
export function isNotLoaded({ id, message = "" }: Pick<TestCase, "id" | "message">): boolean {
	return isWholeFile(id) || ERROR.test(errorLine(message)) || COLLECTED.test(message);
}

/**
 * Likewise of a run that names no case.
 *
 * @param counted whether the runner counted a failed test: then something was loaded, unless it says of what not
 */
export function isRunNotLoaded(output: string, counted: boolean): boolean {
	return RUNNERS_LINE.test(output) || (!counted && ERROR_LINE.test(output));
}

/** Whether what failed could not reach another machine; `text` is a message, or the output of a run that names no case. */
export function wantsNetwork(text: string): boolean {
	return !ASSERTION.test(errorLine(text)) && NETWORK.test(text.replaceAll(SOURCE_LINE, ""));
}
