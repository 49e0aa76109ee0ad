import { hasValue } from "../kernel/evidence-value.ts";
import type { Evidence } from "./evidence.ts";
import { plainText } from "./reports/parsed-report.ts";

/**
 * What a check's run on the start commit came to: it said something; it could not run at all; its runner found no
 * tests yet; or it ran and said nothing.
 */
export type BaselineStand = "told" | "could_not_run" | "no_tests" | "silent";

type Ran = Pick<Evidence, "kind" | "status" | "started" | "exitCode" | "counts" | "outputTail">;

/** What runners print, in their exact forms, when a project has no tests yet. */
const NO_TESTS = [
	/^No test files found, exiting with code \d/m,
	/^No tests found, exiting with code \d/m,
	/^ *Error: No test files found/m,
	/^(?:=+ )?no tests (?:ran|collected)\b/m,
	/^\? +\t?\S+\t\[no test files\]$/m,
	/^go: (?:warning: )?"\.\/\.\.\." matched no packages$/m,
	/^no packages to test$/m,
	/^Could not find '[^'\n]*'$/m,
	/^(?:ℹ|#) tests 0$/m,
	/^NO TESTS RAN$/m,
	/^0 examples, 0 failures/m,
	/^(?:Error: )?no test specified$/m,
];

/** A shell, `make` or a launcher says that the program behind a command is missing. */
const NO_PROGRAM = [
	/^(?:\S*\/)?(?:ba|da|z|k)?sh: .*: (?:command )?not found$/m,
	/^\S+: line \d+: .*: command not found$/m,
	/^make(?:\[\d+\])?: \*\*\* .* Error 12[67]$/m,
	/^(?:\S*[\\/])?python[\d.]*(?:\.exe)?: No module named /m,
	/^make(?:\[\d+\])?: \*\*\* No rule to make target /m,
	/^npm (?:error|ERR!) Missing script: /m,
	/^.{0,20}\bCommand ".*" not found\b/m,
	/^error: Script not found "/m,
	/^env: .*: No such file or directory$/m,
	/^zsh:\d+: command not found: /m,
	/^Command not found: /m,
	/^error: (?:Failed to spawn|no such command): /m,
];

/** A runtime says that a package of the project is not installed. A relative name would be a file that is to be written. */
const NO_PACKAGE = [
	/\bCannot find (?:module|package) ['"][^./'"][^'"]*['"]/,
	/^(?:ModuleNotFoundError|ImportError): No module named /m,
	/^(?:E +)?ModuleNotFoundError: /m,
	/\bcannot load such file -- [^./\s]/,
];

const saysAny = (patterns: readonly RegExp[], text: string): boolean =>
	patterns.some((pattern) => pattern.test(text));

/** Whether a check with only an exit code is red because the program behind its command is missing. */
const isRedWithoutProgram = ({ status, counts }: Ran, output: string): boolean =>
	status === "fail" && counts === null && saysAny(NO_PROGRAM, output);

/**
 * What is known of a check by its run on the start commit.
 *
 * @example exit code 127 gives `"could_not_run"`; `No test files found, exiting with code 1` gives `"no_tests"`
 */
export function baselineStand(ran: Ran): BaselineStand {
	const output = plainText(ran.outputTail);
	if (isRedWithoutProgram(ran, output)) return "could_not_run";
	if (hasValue(ran.status)) return "told";
	if (!ran.started || ran.exitCode === 126 || ran.exitCode === 127) return "could_not_run";
	const isTest = ran.kind === "acceptance";
	if (isTest && (ran.counts?.total === 0 || saysAny(NO_TESTS, output))) return "no_tests";
	return saysAny([...NO_PROGRAM, ...NO_PACKAGE], output) ? "could_not_run" : "silent";
}

/**
 * How many test cases ran where none passed; 0 where one passed, or where none ran.
 *
 * @param evidence of all checks of the start commit
 */
export function casesAllFailing(evidence: readonly Pick<Evidence, "kind" | "counts">[]): number {
	const counts = evidence.flatMap(({ kind, counts: of }) =>
		kind === "acceptance" && of !== null ? [of] : [],
	);
	if (counts.some(({ passed }) => passed > 0)) return 0;
	return counts.reduce((sum, { failed }) => sum + failed, 0);
}
