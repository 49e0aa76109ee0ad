import type { Evidence } from "../evidence/evidence.ts";
import { plainText } from "../formats/reports/parsed-report.ts";
import { saysNoTests } from "../formats/reports/text-summary.ts";
import { hasValue } from "../kernel/evidence-value.ts";

/**
 * Outcome of a check on the start commit: it said something; it could not run at all; its runner found no tests yet;
 * it ran and said nothing; or it passed although a program of its command is missing.
 */
export type BaselineStand = "told" | "could_not_run" | "no_tests" | "silent" | "passed_without";

type Ran = Pick<Evidence, "kind" | "status" | "started" | "exitCode" | "counts" | "outputTail">;

const NO_TESTS = [
	/^\? +\t?\S+\t\[no test files\]$/m,
	/^go: (?:warning: )?"\.\/\.\.\." matched no packages$/m,
	/^no packages to test$/m,
	/^Could not find '[^'\n]*'$/m,
	/^(?:Error: )?no test specified$/m,
];

const NO_PROGRAM = [
	/^(?:\S*\/)?(?:ba|da|z|k)?sh: .*: (?:command )?not found$/m,
	/^\S+: line \d+: .*: command not found$/m,
	/^make(?:\[\d+\])?: \*\*\* .* Error 12[67]$/m,
	/^make(?:\[\d+\])?: \S+: No such file or directory$/m,
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

// A relative name would be a file that is to be written.
const NO_PACKAGE = [
	/\bCannot find (?:module|package) ['"][^./'"][^'"]*['"]/,
	/^(?:ModuleNotFoundError|ImportError): No module named /m,
	/^(?:E +)?ModuleNotFoundError: /m,
	/\bcannot load such file -- [^./\s]/,
];

const saysAny = (patterns: readonly RegExp[], text: string): boolean =>
	patterns.some((pattern) => pattern.test(text));

// Of vitest, jest, Karma, mocha, node:test, nodemon and tsc.
const WATCHES =
	/^.*\b(?:waiting for file changes|press h to show help|Watch Usage|Waiting for changes|watching for (?:file )?changes|Completed running|Watching files?\b.*|\[nodemon\])/im;

/** True where a run says that it waits for changes of files: it ends only by a limit. */
export const saysWatching = (output: string): boolean => WATCHES.test(plainText(output));

const NO_BUILD = [/\[(?:build|setup) failed\]/, /^error: could not compile /m];

/** True where a line says that a program or a package is missing, which causes whatever else the output says. */
export const saysMissing = (line: string): boolean => saysAny([...NO_PROGRAM, ...NO_PACKAGE], line);

/** True where an output says so. */
export const namesMissing = (output: string): boolean => saysMissing(plainText(output));

/**
 * The packages that an output calls not installed: `Cannot find package 'left-pad'` gives `"left-pad"`. A module inside
 * a package, such as `'a.b'`, is none: its package may be there.
 */
export function missingPackages(output: string): readonly string[] {
	const named = plainText(output).matchAll(
		/(?:Cannot find (?:module|package)|No module named) ['"]?((?:@[\w.-]+\/)?\w[\w-]*)(?![\w./-])/g,
	);
	return [...new Set([...named].flatMap(([, name]) => name ?? []))];
}

/**
 * Stand of a check by its run on the start commit.
 *
 * @example exit code 127 gives `"could_not_run"`; `No test files found, exiting with code 1` gives `"no_tests"`
 */
export function baselineStand(ran: Ran): BaselineStand {
	const output = plainText(ran.outputTail);
	const lacksProgram = saysAny(NO_PROGRAM, output);
	if (hasValue(ran.status)) {
		if (!lacksProgram || ran.counts !== null) return "told";
		return ran.status === "fail" ? "could_not_run" : "passed_without";
	}
	if (!ran.started || ran.exitCode === 126 || ran.exitCode === 127) return "could_not_run";
	// One package of several may have no tests where the next one cannot run.
	if (lacksProgram || saysAny(NO_PACKAGE, output)) return "could_not_run";
	const isEmpty =
		ran.counts?.total === 0 || saysNoTests(output) !== undefined || saysAny(NO_TESTS, output);
	const isTest = ran.kind === "acceptance" && !saysAny(NO_BUILD, output);
	return isTest && isEmpty ? "no_tests" : "silent";
}

/**
 * False for a run on the start commit that lacked a program or a package: once that is installed, the same commit
 * gives another result.
 */
export function holdsForGood(ran: Ran): boolean {
	if (!hasValue(ran.status) || baselineStand(ran) !== "told") return false;
	return ran.counts?.passed !== 0 || missingPackages(ran.outputTail).length === 0;
}

/**
 * Number of test cases that ran where none passed; 0 where one passed.
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
