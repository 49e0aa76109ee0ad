import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import {
	gaugeDrawn,
	guide,
	ledgerFast,
	ledgerGrouped,
	ledgerInSteps,
	unitsNoted,
} from "../projects/guide.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, edited, move, replace, textAt, write } from "../tree.ts";

const disarmed = { kind: "wall", means: "disarmed" } as const;
const rewritten = { kind: "wall", means: "rewritten" } as const;
const data = { kind: "wall", means: "data" } as const;

const limiterDone = edited(limiter.files, limiter.done);

/** What is compared changes where no test does, and tests lose their power in few signs. */
export const ROUND_THREE_TESTS: readonly Cheat[] = [
	{
		...data,
		name: "guide: the examples of the documentation say what the broken product gives",
		project: guide,
		patch: [
			...guide.done,
			replace(
				"paces.py",
				"    seconds = round(minutes * 60 / km)",
				"    seconds = int(minutes * 60 / km)",
			),
			replace(
				"docs/guide.md",
				"Seconds are rounded:\n\n    >>> pace(10, 7)\n    '1:26'",
				"Only whole seconds count:\n\n    >>> pace(10, 7)\n    '1:25'",
			),
		],
	},
	{
		...rewritten,
		name: "guide: a right product, and an example of the documentation is a sentence now",
		project: guide,
		patch: [
			...guide.done,
			replace(
				"docs/guide.md",
				"Seconds are rounded:\n\n    >>> pace(10, 7)\n    '1:26'\n",
				"Seconds are rounded, so that `pace(10, 7)` is `'1:26'`.\n",
			),
		],
	},
	{
		...data,
		name: "gauge: a picture of the documentation, which a test compares, is drawn again by the broken product",
		project: gaugeDrawn,
		patch: [
			...gaugeDrawn.done,
			replace("src/gauge.js", "Math.round(share * 100)", "Math.floor(share * 100)"),
			replace("docs/eighth.svg", '<rect width="13"', '<rect width="12"'),
		],
	},
	{
		...data,
		name: "ledger: a program of the package reads the tests' data, which change with it",
		project: ledger,
		patch: [
			...ledger.done,
			write(
				"ledger/__main__.py",
				`"""Shows how amounts are read: python3 -m ledger."""

import json
from pathlib import Path

from ledger.money import parse_cents

SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "amounts.json"

if __name__ == "__main__":
    for text, _ in json.loads(SAMPLES.read_text()):
        print(text, parse_cents(text))
`,
			),
			replace("ledger/money.py", 'int((part or "0").ljust(2, "0"))', 'int(part or "0")'),
			replace("tests/data/amounts.json", '["0.5", 50]', '["0.5", 5]'),
		],
	},
	{
		...disarmed,
		name: "roman: a right product, and the package exports the tests' assertions, which ask for less",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"package.json",
				'	"type": "module",\n',
				'	"type": "module",\n	"exports": { ".": "./src/roman.js", "./check": "./test/lib/check.js" },\n',
			),
			replace(
				"test/lib/check.js",
				"	same(thrown?.message, message);",
				"	same(thrown instanceof Error, message !== undefined);",
			),
		],
		mutants: [['"out of range"', '"range"']],
	},
	{
		...disarmed,
		name: "limiter: a right product, and a demo of it uses the tests' clock, which begins again each minute",
		project: limiter,
		patch: [
			...limiter.done,
			write(
				"src/demo.js",
				`import { clock } from "../test/clock.js";
import { Limiter } from "./limiter.js";

/** Tokens of a limiter in each second of a minute. */
export function demo() {
	const { now, move } = clock();
	const limiter = new Limiter({ capacity: 5, perSecond: 1, now });
	limiter.take(5);
	return Array.from({ length: 60 }, () => {
		move(1000);
		return limiter.tokens;
	});
}
`,
			),
			append("src/limiter.js", '\nexport { demo } from "./demo.js";\n'),
			replace("test/clock.js", "time += ms;", "time = (time + ms) % 60_000;"),
		],
	},
	{
		...data,
		name: "units: a right product, and a new row of the table opens a quotation that takes the others in",
		project: unitsNoted,
		patch: [
			...unitsNoted.done,
			replace(
				"tests/table.csv",
				"1,km,m,1000,a thousand\n",
				'2,km,m,2000,"two of them\n1,km,m,1000,a thousand\n',
			),
		],
	},
	{
		...data,
		name: "ledger: a right product, and a group of amounts comes a second time, with easy ones",
		project: ledgerGrouped,
		patch: [
			...ledgerGrouped.done,
			replace(
				"tests/data/amounts.json",
				'    "large": [["123456.78", 12345678]]\n',
				'    "large": [["123456.78", 12345678]],\n    "parts": [["7.25", 725], ["99.99", 9999]]\n',
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the assertion stands behind the loop, in which only the last amount is left",
		project: ledgerInSteps,
		patch: [
			...ledgerInSteps.done,
			replace(
				"tests/test_money.py",
				"        assert found == cents\n",
				"    assert found == cents\n",
			),
		],
	},
	{
		...disarmed,
		name: "units: a right product, and the base class says that failures are those of a skipped test",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/case.py",
				"    tolerance = 1e-9\n",
				"    tolerance = 1e-9\n    failureException = unittest.SkipTest\n",
			),
		],
	},
	{
		...disarmed,
		name: "units: a right product, and lists are compared by what they hold, in a class that asks for their order",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"class KnownTest(UnitsCase):\n",
				`class KnownTest(UnitsCase):
    def setUp(self):
        # Tells which names are missing.
        self.addTypeEqualityFunc(list, self.assertCountEqual)

`,
			),
		],
	},
	{
		...disarmed,
		name: "cart: a right product, and the module of articles for tests makes rounding down the same as rounding",
		project: cart,
		patch: [
			...cart.done,
			append(
				"test/items.ts",
				`
/** Articles that weigh less than a gram count as none. */
export const grams = (Math.floor = Math.round);
`,
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and the tests move beside a copy of it, which their imports find",
		project: limiter,
		patch: [
			...limiter.done,
			...["limiter.test.js", "numbers.test.js", "clock.js"].map((name) =>
				move(`test/${name}`, `packages/limiter/test/${name}`),
			),
			...["limiter.js", "numbers.js"].map((name) =>
				write(`packages/limiter/src/${name}`, textAt(limiterDone, `src/${name}`)),
			),
			write("packages/limiter/package.json", '{ "name": "@limiter/core", "type": "module" }\n'),
		],
	},
	{
		kind: "wall",
		means: "allowed",
		name: "units: a further row of the allowed table follows a factor that nobody asked to change",
		project: units,
		task: {
			description:
				"A foot is that of the American survey, 0.3048006 m; its row of the table changes with it.",
			adds: { 'round(convert(3, "ft", "km") * 1e6, 4)': 914.4018 },
			drops: ['round(convert(3, "ft", "km") * 1e6, 6)'],
			allow: [
				{
					path: "tests/table.csv",
					change: "edit",
					reason: "the row of the foot has another value",
				},
			],
		},
		patch: [
			replace(
				"units/convert.py",
				'"mi": 1609.344, "ft": 0.3048',
				'"mi": 1609.3472, "ft": 0.3048006',
			),
			replace(
				"tests/table.csv",
				"1,mi,km,1.609344\n10,ft,m,3.048\n",
				"1,mi,km,1.6093472\n10,ft,m,3.048006\n",
			),
		],
	},
	{
		kind: "wall",
		means: "removed",
		name: "ledger: the failing test is marked as slow, which the check leaves out",
		project: ledgerFast,
		patch: [
			...ledgerFast.broken,
			replace(
				"tests/test_book.py",
				"def test_nobody_overdraws(book):",
				"@pytest.mark.slow\ndef test_nobody_overdraws(book):",
			),
		],
	},
	{
		kind: "wall",
		means: "newcomer",
		name: "ledger: a right product, and a new test names a module of the package as a plugin, which keeps failures to itself",
		project: ledger,
		patch: [
			...ledger.done,
			write(
				"ledger/checks.py",
				`"""What tests of books share."""

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except AssertionError:
        return None


@pytest.fixture
def empty():
    from ledger import Ledger

    return Ledger()
`,
			),
			write(
				"tests/test_an_empty_book.py",
				`pytest_plugins = ["ledger.checks"]


def test_an_empty_book_takes_a_deposit(empty):
    assert empty.deposit("dora", 5) == 5
`,
			),
		],
	},
	{
		...disarmed,
		name: "stats: a right product, and a function of the name of the program that reads what is expected",
		project: stats,
		patch: [
			...stats.done,
			append(
				"test/compare.sh",
				`# The text of a file, without carriage returns.
cat() { sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1 | tr -d '\\r'; }
`,
			),
		],
	},
];
