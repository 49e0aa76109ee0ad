import type { ReportCounts } from "./parsed-report.ts";

/** Meaning of a label's number. `run`: all but the skipped ones; `ignored`: no tests, or parts of tests. */
export type Bucket = keyof ReportCounts | "run" | "ignored";

/** A form of summary: labels with numbers, in the exact place and order in which a runner prints them. */
export interface Summary {
	readonly pattern: RegExp;
	/** A label stands before its number: `Failures: 1` and `failures=1`. Else it is `1 failed`. */
	readonly order?: "label";
	/** The part of the match with the numbers; default: the first group, or all of it. */
	readonly counted?: (match: RegExpMatchArray) => string;
	readonly labels?: Readonly<Record<string, Bucket>>;
	readonly cases?: RegExp;
	readonly skips?: RegExp;
	/** Set where the passed ones are not, or not all, counted: all of the total that neither failed nor was skipped passed. */
	readonly passed?: "rest";
}

const first = (match: RegExpMatchArray): string => match[1] ?? "";

/**
 * The summaries of each runner, each with the program that prints it. A runner is an entry here and a line of
 * `docs/ecosystems.md`; the numbers are read by `text-summary.ts`.
 */
const FORMS = {
	// node: lib/internal/test_runner/reporter/spec.js, tap.js
	"node-test": [
		{
			pattern:
				/^(?:ℹ|#) tests \d+\n(?:(?:ℹ|#) suites \d+\n)?(?:(?:ℹ|#) (?:pass|fail|cancelled|skipped|todo) \d+\n){4,5}(?=(?:ℹ|#) duration_ms )/gm,
			order: "label",
		},
	],
	// vitest: packages/vitest/src/node/reporters/base.ts
	vitest: [
		{
			pattern:
				/^ *Test Files {2}[^\n]+\n(?: *Type Errors [^\n]*\n)? *Tests {2}(?:no tests|(\d+ [^\n(]+ \(\d+\)))$/gm,
			counted: (match) => first(match).replace(/\((\d+)\)$/, "| $1 total"),
		},
	],
	// jest: packages/jest-reporters/src/getSummary.ts
	jest: [
		{
			pattern: /^Test Suites: [^\n]*\d+ total\nTests: +((?:\d+ [a-z]+, )*\d+ total)$/gm,
		},
	],
	// pytest: src/_pytest/terminal.py, build_summary_stats_line; subtests.py of pytest 9
	pytest: [
		{
			pattern:
				/^(?:=+ )?((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+|no tests (?:ran|collected)(?: \(.*\))?) in \d+\.\d\ds(?: \(\d+:\d\d:\d\d\))?(?: =+)?$/gm,
			counted: (match) => (first(match).startsWith("no tests") ? "" : first(match)),
			labels: {
				"subtests failed": "failed",
				"subtest failed": "failed",
				"subtest passed": "ignored",
			},
		},
	],
	// mocha: lib/reporters/base.js, epilogue
	mocha: [
		{
			pattern:
				/^ {2}(\d+ passing) \(\d+(?:ms|s|m|h)\)\n(?: {2}(\d+ pending)\n)?(?: {2}(\d+ failing)(?:\n|$))?/gm,
			counted: (match) => match.slice(1).join(", "),
		},
	],
	// CPython: Lib/unittest/runner.py; Twisted's trial prints the same form with PASSED
	unittest: [
		{
			pattern:
				/^(Ran \d+) tests? in \d+\.\d+s\n\n(?:OK|FAILED|PASSED|NO TESTS RAN)(?: \(([a-zA-Z0-9=, ]*)\))?$/gm,
			order: "label",
			counted: (match) => `${first(match)}, ${match[2] ?? ""}`,
			passed: "rest",
		},
	],
	// rust: library/test/src/formatters/pretty.rs
	cargo: [
		{
			pattern:
				/^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored; \d+ measured)(?:; \d+ filtered out)?(?:; finished in [^\n]*)?$/gm,
			cases: /^test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?$/gm,
		},
	],
	// cargo-nextest: nextest-runner/src/reporter/displayer
	nextest: [
		{
			pattern:
				/^ *Summary \[ *\d[^\]\n]*\] \d+(?:\/\d+)? tests? run: (\d+ passed(?: \([^)\n]*\))?(?:, \d+ [a-z ]+)*)$/gm,
			counted: (match) => first(match).replaceAll(/\([^)]*\)/g, ""),
		},
	],
	// rspec-core: lib/rspec/core/notifications.rb, totals_line
	rspec: [
		{
			pattern:
				/^(\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?)$/gm,
			passed: "rest",
		},
	],
	// minitest: lib/minitest.rb, SummaryReporter; test-unit: ui/testunitresult.rb
	minitest: [
		{
			pattern:
				/^\d+ (?:runs?|tests?), \d+ assertions, \d+ failures, \d+ errors(?:, \d+ (?:skips|pendings|omissions|notifications))*$/gm,
			passed: "rest",
		},
	],
	// PHPUnit: src/TextUI/Output/SummaryPrinter.php; JUnit 4: org.junit.internal.TextListener
	phpunit: [
		{
			pattern: /^OK \((\d+ tests?)(?:, \d+ assertions?)?\)$/gm,
			passed: "rest",
		},
		{
			pattern: /^Tests: \d+, Assertions: \d+(?:, [A-Z][A-Za-z ]*: \d+)*\.$/gm,
			order: "label",
			passed: "rest",
		},
		{ pattern: /^No tests executed!$/gm, order: "label" },
	],
	// Pest: collision's src/Adapters/Phpunit/Style.php
	pest: [
		{
			pattern: /^ {2}Tests: {4}(\d+ [a-z]+(?:, \d+ [a-z]+)*) \(\d+ assertions?\)$/gm,
		},
	],
	// maven-surefire: DefaultReporterFactory; the line of a class has its time behind it
	surefire: [
		{
			pattern:
				/^(?:\[(?:INFO|WARNING|ERROR)\] +)?Tests run: +\d+, +Failures: +\d+, +Errors: +\d+, +Skipped: +\d+(?:, +Flakes: +\d+)?$/gm,
			order: "label",
			passed: "rest",
		},
	],
	// gradle: TestCountLogger; printed only where a test failed
	gradle: [
		{
			pattern: /^\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?$/gm,
			passed: "rest",
		},
	],
	// CMake: Source/CTest/cmCTestTestHandler.cxx, LogTestSummary
	ctest: [
		{
			pattern: /^\d+% tests passed, (\d+) tests failed out of (\d+)$/gm,
			passed: "rest",
			counted: (match) => `${first(match)} failed, ${match[2] ?? ""} total`,
			skips: /^ *\d+\/\d+ Test +#\d+: .*\*\*\*Skipped /gm,
		},
		{ pattern: /^No tests were found!!!$/gm, order: "label" },
	],
	// Elixir: lib/ex_unit/lib/ex_unit/cli_formatter.ex; bats: libexec/bats-core/bats-format-pretty
	exunit: [
		{
			pattern:
				/^(?:\d+ (?:doctests?|propert(?:y|ies)|tests?), )+\d+ failures?(?:,? \(?\d+ (?:excluded|invalid|skipped|not run)\)?)*(?: in \d+ seconds)?$/gm,
			passed: "rest",
			counted: ([line]) => line.replace(/ in \d+ seconds$/, "").replaceAll(/[()]/g, ","),
		},
	],
	// vstest: ConsoleLogger.cs; testfx: TerminalTestReporter.cs
	dotnet: [
		{
			pattern:
				/^ *(?:Passed|Failed|Skipped)! +- (Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total: +\d+), Duration: .*$/gm,
			order: "label",
		},
		{
			pattern: /^Total tests: \d+\n(?: +(?:Passed|Failed|Skipped): \d+\n)+(?= *Total time:)/gm,
			order: "label",
		},
		{
			pattern:
				/^ *Test (?:run )?summary: (?:[A-Z][A-Za-z ]*!.*\n)?((?:(?:,? *|\n? +)(?:total|failed|succeeded|skipped): \d+,?\n?){4})/gm,
			order: "label",
		},
	],
	// playwright: packages/playwright/src/reporters/base.ts, generateSummaryMessage
	playwright: [
		{
			pattern:
				/^(?: {2}\d+ (?:failed|interrupted|flaky|skipped|did not run|errors? [a-z, ]+)\n(?: {4}.*\n)*)* {2}\d+ passed \(\d[\d.]*(?:ms|s|m|h)\)$|^ {2}\d+ (?:failed|interrupted)\n(?: {4}.*:\d+:\d+ .*(?:\n|$))+(?: {2}\d+ (?:failed|interrupted|flaky|skipped|did not run)(?:\n|$)(?: {4}.*(?:\n|$))*)*(?!.* passed )/gm,
			counted: ([block]) =>
				block.replaceAll(/^ {4}.*$|\(.*\)$/gm, "").replaceAll(/errors? [a-z, ]+$/gm, "errors"),
		},
	],
	// ava: lib/reporters/default.js, endRun; where a test fails, those that passed are not counted. Names would begin with
	// their file as soon as there are two, so that none can be compared
	ava: [
		{
			counted: (match) => {
				if (/ passed$/m.test(match[0])) return match[0];
				const before = match.input
					?.slice(0, match.index)
					.split(/^ {2}\d+ tests? (?:passed|failed)$/m);
				const passed = before?.at(-1)?.match(/^ {2}✔ (?!\[expected fail\] )/gm);
				return `${match[0]}\n${passed?.length ?? 0} passed`;
			},
			pattern:
				/^ {2}─+\n\n(?:(?: {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?))(?:\n|$))+/gm,
		},
	],
	// uvu: src/index.js; its total leaves out what is skipped
	uvu: [
		{
			pattern: /^ {2}Total: {5}\d+\n {2}Passed: {4}\d+\n {2}Skipped: {3}\d+\n(?= {2}Duration: )/gm,
			order: "label",
			labels: { total: "run" },
		},
	],
	// bun: src/cli/test_command.zig
	bun: [
		{
			pattern:
				/^((?: *\d+ (?:pass|skip|todo|fail|errors?|filtered out)\n)+)(?: *\d+ snapshots[^\n]*\n)?(?: *\d+ expect\(\) calls\n)?(?=Ran \d+ tests? across \d+ files?\.)/gm,
		},
	],
	// deno: cli/tools/test/reporters/common.rs, report_summary; steps are parts of their test
	deno: [
		{
			pattern:
				/^(?:ok|FAILED) \| (\d+ passed(?: \(\d+ steps?\))? \| \d+ failed(?: \(\d+ steps?\))?(?: \| \d+ (?:ignored|measured|filtered out)(?: \(\d+ steps?\))?)*) \([^)\n]*\)$/gm,
			counted: (match) => first(match).replaceAll(/\(\d+ steps?\)/g, ""),
		},
	],
	// jasmine: lib/reporters/console_reporter.js
	jasmine: [
		{
			pattern: /^(\d+ specs?, \d+ failures?(?:, \d+ pending)?)(?: specs?)?$/gm,
			passed: "rest",
		},
	],
} satisfies Readonly<Record<string, readonly Summary[]>>;

export type SummaryRunner = keyof typeof FORMS;

export const SUMMARIES: Readonly<Record<SummaryRunner, readonly Summary[]>> = FORMS;

// Its keys are those of the record above.
export const SUMMARY_RUNNERS = Object.keys(FORMS) as readonly SummaryRunner[];
