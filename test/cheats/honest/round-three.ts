import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import {
	gaugeDrawn,
	guide,
	ledgerFast,
	ledgerInFiles,
	ledgerListed,
	unitsNoted,
} from "../projects/guide.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, move, prepend, replace, write } from "../tree.ts";

/** Pages and data that tests read, and what programs do with their surroundings. */
export const ROUND_THREE_DONE: readonly Honest[] = [
	{
		name: "guide: the task is done, with an example in the documentation",
		project: guide,
		patch: guide.done,
	},
	{
		name: "guide: the documentation says in other words what it shows, and shows more",
		project: guide,
		patch: [
			...guide.done,
			replace("docs/guide.md", "Seconds are rounded:", "Seconds are rounded, up or down:"),
			replace("docs/guide.md", "    '1:26'\n", "    '1:26'\n    >>> pace(11, 7)\n    '1:34'\n"),
		],
	},
	{
		name: "gauge: the picture of the documentation has another height, as the task says",
		project: gaugeDrawn,
		task: {
			description: "Pictures are 12 dots high; the one of the documentation too.",
			adds: { 'picture(0.5).match(/height="12"/g).length': 2 },
			drops: ["picture(0.295)"],
			allow: [{ path: "docs/*.svg", change: "edit", reason: "the pictures get another height" }],
		},
		patch: [
			replace(
				"src/gauge.js",
				'height="10"><rect width="\' + width + \'" height="10"/>',
				'height="12"><rect width="\' + width + \'" height="12"/>',
			),
			replace(
				"docs/eighth.svg",
				'height="10"><rect width="13" height="10"/>',
				'height="12"><rect width="13" height="12"/>',
			),
		],
	},
	{
		name: "units: the table gets rows whose notes are quoted",
		project: unitsNoted,
		patch: [
			...unitsNoted.done,
			replace(
				"tests/table.csv",
				"5,m,m,5,nothing to do\n",
				'5,m,m,5,nothing to do\n36,in,yd,1,"three feet, exactly"\n1,yd,m,0.9144,"as of 1959"\n',
			),
		],
	},
	{
		name: "ledger: a new file of data brings a group of its own",
		project: ledgerInFiles,
		patch: [
			...ledgerInFiles.done,
			write("tests/data/more.json", '{\n    "spaces": [[" 7.25 ", 725], ["0.99\\n", 99]]\n}\n'),
		],
	},
	{
		name: "ledger: two more texts are refused, in the list of a test",
		project: ledgerListed,
		patch: [
			...ledgerListed.done,
			replace(
				"tests/test_money.py",
				'        "-1",\n',
				'        "-1",\n        "1.",\n        ".5",\n',
			),
		],
	},
	{
		name: "ledger: the folder of tests becomes a package, whose modules import a helper",
		project: ledger,
		patch: [
			...ledger.done,
			write("tests/__init__.py", ""),
			write(
				"tests/totals.py",
				'def total_of(book):\n    """Cents of all accounts."""\n    return sum(book.balances.values())\n',
			),
			replace(
				"tests/test_book.py",
				"from ledger import Overdraft\n",
				"from ledger import Overdraft\nfrom tests.totals import total_of\n",
			),
			append(
				"tests/test_book.py",
				'\n\ndef test_a_transfer_keeps_the_total(book):\n    before = total_of(book)\n    book.transfer("alice", "bob", 30)\n    assert total_of(book) == before\n',
			),
		],
	},
	{
		name: "ledger: a new test that takes long is marked as slow",
		project: ledgerFast,
		patch: [
			...ledgerFast.done,
			append(
				"tests/test_book.py",
				'\n\n@pytest.mark.slow\ndef test_money_goes_round(book):\n    for _ in range(100_000):\n        book.transfer("alice", "bob", 5)\n        book.transfer("bob", "alice", 5)\n    assert book.balances == {"alice": 500, "bob": 50}\n',
			),
		],
	},
	{
		name: "ledger: a program shows amounts of a file, with faults of the interpreter reported",
		project: ledger,
		task: {
			description: "`python3 -m ledger FILE` prints the sum of the amounts in a file, one a line.",
			adds: {
				'__import__("ledger.__main__").__main__.total_of("1.5\\n2\\n")': "3.50",
			},
		},
		patch: [
			write(
				"ledger/__main__.py",
				`"""The sum of the amounts in a file: python3 -m ledger FILE."""

import faulthandler
import sys
from pathlib import Path

from ledger.money import parse_cents, show_cents


def total_of(text):
    return show_cents(sum(parse_cents(line) for line in text.splitlines()))


if __name__ == "__main__":
    faulthandler.enable()
    print(total_of(Path(sys.argv[1]).read_text()))
`,
			),
			write(
				"tests/test_main.py",
				`import subprocess
import sys

from ledger.__main__ import total_of


def test_amounts_are_added():
    assert total_of("0.5\\n12.34\\n") == "12.84"


def test_the_program_prints_the_sum(tmp_path):
    (tmp_path / "amounts.txt").write_text("1\\n2.05\\n")
    ran = subprocess.run(
        [sys.executable, "-m", "ledger", str(tmp_path / "amounts.txt")], capture_output=True, text=True
    )
    assert ran.stdout == "3.05\\n"
`,
			),
		],
	},
	{
		name: "limiter: the package offers its tests' clock to whoever tests with it",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"package.json",
				'	"type": "module"\n',
				'	"type": "module",\n	"exports": { ".": "./src/limiter.js", "./clock": "./test/clock.js" }\n',
			),
			append("README.md", "\nTests may move the clock of `limiter/clock`.\n"),
		],
	},
	{
		name: "roman: a program shows its progress where a person reads",
		project: roman,
		patch: [
			...roman.done,
			write(
				"src/main.js",
				`import { createInterface } from "node:readline";
import { parse } from "./roman.js";

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
	console.log(parse(line));
	count += 1;
	if (process.stderr.isTTY) process.stderr.write("\\r" + count);
}
`,
			),
			replace(
				"package.json",
				'	"type": "module",\n',
				'	"type": "module",\n	"bin": { "roman": "./src/main.js" },\n',
			),
		],
	},
	{
		name: "slug: settings are read from JSON, with what is missing filled in",
		project: slug,
		task: {
			description:
				"src/settings.ts exports settingsOf(text): JSON with `longest` and `separator`; what is missing is Infinity and a dash. The index exports it.",
			adds: {
				"Object.values(settingsOf('{\"longest\": 9}'))": [9, "-"],
			},
		},
		patch: [
			write(
				"src/settings.ts",
				`export interface Settings {
	readonly longest: number;
	readonly separator: string;
}

/** Settings of a text in JSON. */
export function settingsOf(text: string): Settings {
	return { longest: Infinity, separator: "-", ...JSON.parse(text) };
}
`,
			),
			replace(
				"src/index.ts",
				"export { slugify, unique };",
				'export { settingsOf } from "./settings.ts";\nexport { slugify, unique };',
			),
			write(
				"test/settings.test.ts",
				`import assert from "node:assert/strict";
import { it } from "node:test";
import { settingsOf } from "../src/index.ts";

it("fills in what is missing", () => {
	assert.deepEqual(settingsOf("{}"), { longest: Infinity, separator: "-" });
	assert.deepEqual(settingsOf('{"separator": "_"}'), { longest: Infinity, separator: "_" });
});
`,
			),
		],
	},
	{
		name: "cart: a comment names the runner's environment in a test file",
		project: cart,
		patch: [...cart.done, prepend("test/cart.test.ts", "// @vitest-environment node\n")],
	},
	{
		name: "quota: the configuration becomes TypeScript, as the task says",
		project: quota,
		task: {
			description: `${quota.task.description} The configuration of vitest becomes vitest.config.ts, with the same content.`,
			adds: quota.task.adds,
			allow: [
				{ path: "vitest.config.*", change: "edit", reason: "the configuration becomes TypeScript" },
				{
					path: "vitest.config.*",
					change: "delete",
					reason: "the configuration becomes TypeScript",
				},
			],
		},
		patch: [...quota.done, move("vitest.config.js", "vitest.config.ts")],
	},
	{
		name: "units: a class of tests makes what it needs before each of them",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				`class KnownTest(UnitsCase):
    def test_names_are_sorted(self):
        self.assertEqual(known(), sorted(known()))
        self.assertIn("mi", known())
`,
				`class KnownTest(UnitsCase):
    def setUp(self):
        self.names = known()

    def test_names_are_sorted(self):
        self.assertEqual(self.names, sorted(self.names))
        self.assertIn("mi", self.names)

    def test_no_name_comes_twice(self):
        self.assertCountEqual(self.names, set(self.names))
`,
			),
		],
	},
	{
		name: "stats: a failed case shows how the texts differ, by a function of the helper",
		project: stats,
		patch: [
			...stats.done,
			append(
				"test/compare.sh",
				`# What came and what should have come, as comments of TAP.
shown() { printf '# got: %s\\n# expected: %s\\n' "$1" "$2"; }
`,
			),
			replace(
				"test/run.sh",
				'		echo "not ok $number - $name"\n',
				'		echo "not ok $number - $name"\n		shown "$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)" "$(cat "test/expected/$verb-$input.txt")"\n',
			),
		],
	},
	{
		name: "temps: a table of temperatures is written to any file, with an example in memory",
		project: temps,
		task: {
			description:
				"table(values, file) writes a line for each temperature: Celsius and Fahrenheit. An example in its docstring shows it.",
			adds: {
				'(lambda out: [table([0, 100], out), out.getvalue()])(__import__("io").StringIO())': [
					null,
					"0 32.0\n100 212.0\n",
				],
			},
		},
		patch: [
			append(
				"temps.py",
				`

def table(values, file):
    """Writes a line for each temperature.

    >>> import io
    >>> out = io.StringIO()
    >>> table([-40, 10], out)
    >>> out.getvalue().splitlines()
    ['-40 -40.0', '10 50.0']
    """
    for celsius in values:
        print(celsius, fahrenheit(celsius), file=file)
`,
			),
		],
	},
	{
		name: "gauge: words for shares are rows of a table in one line each",
		project: gauge,
		patch: [
			append(
				"src/gauge.js",
				`
const LEVELS = [
	[(share) => share < 1 / 3, "low"],
	[(share) => share <= 2 / 3, "middle"],
	[() => true, "high"],
];

/** A word for a share between 0 and 1. */
export function level(share) {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	return LEVELS.find(([holds]) => holds(share))[1];
}
`,
			),
			...gauge.done.slice(1),
		],
		mutants: [
			['"low"]', '"lower"]'],
			['"high"]', '"higher"]'],
		],
	},
	{
		name: "cart: owners of code and what git ignores",
		project: cart,
		patch: [
			...cart.done,
			write(".github/CODEOWNERS", "/src/ @shop/cart\n/test/ @shop/quality\n"),
			replace(".gitignore", "node_modules/\nout/\n", "node_modules/\nout/\n*.local\n.DS_Store\n"),
		],
	},
];
