import type { Honest } from "../case.ts";
import {
	cartFirst,
	cartRed,
	gaugeApart,
	gaugeFirst,
	ledgerExit,
	ledgerFirst,
	ledgerRed,
	limiterRed,
	limiterWaits,
	morseFirst,
	morseRed,
	romanExit,
	romanFirst,
	romanRed,
	slugApart,
	slugExit,
	slugRed,
	statsFirst,
	statsRed,
	unitsExit,
	unitsFirst,
	unitsRed,
} from "../projects/red.ts";
import { append, move, replace, write } from "../tree.ts";

/** Nothing passed at the base, and the work makes it pass. */
const NOTHING_PASSED: readonly Honest[] = [
	{
		name: "gauge first: what the test imports is written",
		project: gaugeFirst,
		patch: gaugeFirst.done,
	},
	{ name: "cart first: the missing module is written", project: cartFirst, patch: cartFirst.done },
	{
		name: "units first: the missing module is written",
		project: unitsFirst,
		patch: unitsFirst.done,
	},
	{ name: "morse first: the way back is written", project: morseFirst, patch: morseFirst.done },
	{
		name: "roman first: the missing function is written",
		project: romanFirst,
		patch: romanFirst.done,
	},
	{ name: "stats first: the missing file is written", project: statsFirst, patch: statsFirst.done },
	{
		name: "ledger first: what the fixture imports is written, with a test of its own",
		project: ledgerFirst,
		patch: [
			...ledgerFirst.done,
			write(
				"tests/test_lines.py",
				`from ledger import Ledger, statement


def test_a_statement_of_nobody_is_empty():
    assert statement(Ledger()) == ""
`,
			),
		],
	},
	{
		name: "gauge first: what the test imports is written, and one old test becomes two",
		project: gaugeFirst,
		task: {
			...gaugeFirst.task,
			description: `${gaugeFirst.task.description} Shares that are none get a test for each side.`,
		},
		patch: [
			...gaugeFirst.done,
			replace(
				"test/gauge.test.js",
				"	assert.throws(() => bar(-0.1), RangeError);\n",
				'});\n\ntest("a share is not negative", () => {\n	assert.throws(() => bar(-0.1), RangeError);\n',
			),
		],
	},
];

/** Tests of the task are red at the base, and the product makes them green. */
const RED_TESTS: readonly Honest[] = [
	{ name: "roman red: lower case is read", project: romanRed, patch: romanRed.done },
	{ name: "slug red: the longest length counts", project: slugRed, patch: slugRed.done },
	{
		name: "slug apart: the module that the red file imports is written",
		project: slugApart,
		patch: slugApart.done,
	},
	{
		name: "gauge apart: the function that the red file imports is written",
		project: gaugeApart,
		patch: gaugeApart.done,
	},
	{ name: "units red: inches and yards are known", project: unitsRed, patch: unitsRed.done },
	{ name: "cart red: receipts look as the snapshot says", project: cartRed, patch: cartRed.done },
	{ name: "morse red: two letters more", project: morseRed, patch: morseRed.done },
	{ name: "stats red: the median is there", project: statsRed, patch: statsRed.done },
	{
		name: "ledger red: a transfer, with one more test",
		project: ledgerRed,
		patch: [
			...ledgerRed.done,
			append(
				"tests/test_book.py",
				`

def test_a_transfer_to_a_new_account(book):
    book.transfer("alice", "carol", 1)
    holds(book, alice=499, carol=1)
`,
			),
		],
	},
	{
		name: "slug apart: the red file moves into a folder, and its module is written",
		project: slugApart,
		patch: [
			...slugApart.done,
			move("test/words.test.ts", "test/unit/words.test.ts"),
			replace("test/unit/words.test.ts", "../src/words.ts", "../../src/words.ts"),
		],
	},
	{
		name: "limiter red: a test that has nothing to do with the task stays red",
		project: limiterRed,
		patch: limiterRed.done,
	},
	{
		name: "limiter red: of two red tests the one that the task is about becomes green",
		project: limiterWaits,
		patch: limiterWaits.done,
	},
	{
		name: "roman red: more numerals in lower case",
		project: romanRed,
		patch: [...romanRed.done, replace("test/cases.json", '"lower": [', '"lower": [[4, "iv"], ')],
	},
];

/** The exit code alone decides, and was red. */
const EXIT_CODES: readonly Honest[] = [
	{ name: "ledger exit: a transfer", project: ledgerExit, patch: ledgerExit.done },
	{ name: "units exit: inches and yards are known", project: unitsExit, patch: unitsExit.done },
	{ name: "slug exit: the longest length counts", project: slugExit, patch: slugExit.done },
	{ name: "roman exit: lower case is read", project: romanExit, patch: romanExit.done },
	{
		name: "roman exit: lower case is read, and a program says what is wrong with its input",
		project: romanExit,
		task: {
			...romanExit.task,
			description: `${romanExit.task.description} bin/roman.js prints the number of its argument, and exits with 2 where it is none.`,
		},
		patch: [
			...romanExit.done,
			write(
				"bin/roman.js",
				`import { parse } from "../src/roman.js";

try {
	console.log(parse(process.argv[2] ?? ""));
} catch (error) {
	console.error(error.message);
	process.exitCode = 2;
}
`,
			),
		],
	},
];

export const RED_BASELINE_DONE: readonly Honest[] = [
	...NOTHING_PASSED,
	...RED_TESTS,
	...EXIT_CODES,
];
