import type { Honest } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { grid, pairsInPython } from "../projects/pairs.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { append, move, remove, replace, replaceAll, write } from "../tree.ts";

export const ROUND_EIGHT_FURTHER: readonly Honest[] = [
	{
		name: "ledger: balances are asked for by a method, as the task says, and tests ask so",
		project: ledger,
		task: {
			description:
				"Ledger.balance(account) gives the cents of an account, 0 of one that nobody knows; the attribute balances becomes private. Tests follow.",
			adds: {
				'(lambda book: [book.balance("a"), book.balance("b"), hasattr(book, "balances")])(Ledger({"a": 7}))':
					[7, 0, false],
			},
			allow: [
				{
					path: "tests/test_book.py",
					change: "edit",
					reason: "balances are asked for by a method",
				},
			],
		},
		patch: [
			replaceAll("ledger/book.py", "self.balances", "self._balances"),
			replace(
				"ledger/book.py",
				"    def deposit(self, account, cents):\n",
				`    def balance(self, account):
        return self._balances.get(account, 0)

    def deposit(self, account, cents):
`,
			),
			replace(
				"ledger/book.py",
				"if self._balances.get(account, 0) < cents:",
				"if self.balance(account) < cents:",
			),
			replace(
				"tests/test_book.py",
				'    assert book.balances["bob"] == 50\n',
				`    assert book.balance("bob") == 50


def test_a_balance_is_kept_for_each_account(book):
    book.deposit("carol", 10)
    assert [book.balance(name) for name in ("alice", "bob", "carol", "dave")] == [500, 50, 10, 0]
`,
			),
		],
	},
	{
		name: "pairs in Python: the module becomes a package of two modules, and tests import what they did",
		project: pairsInPython,
		patch: [
			move("pairs.py", "pairs/divisors.py"),
			write(
				"pairs/multiples.py",
				`from .divisors import gcd


def lcm(a, b):
    """The least common multiple."""
    return a // gcd(a, b) * b
`,
			),
			write(
				"pairs/__init__.py",
				`"""Functions of two whole numbers."""

from .divisors import gcd
from .multiples import lcm

__all__ = ["gcd", "lcm"]
`,
			),
		],
	},
	{
		name: "grid: places are objects with two numbers, as the task says, and a test gives them so",
		project: grid,
		task: {
			description:
				"steps takes a place `{ x, y }` instead of two numbers, and an optional place to start from.",
			drops: ["[steps(2, 1), steps(0, -3)]"],
			adds: {
				"[steps({ x: 2, y: 1 }), steps({ x: 0, y: -3 })]": [3, 3],
				"steps({ x: 2, y: 1 }, { x: -1, y: 2 })": 4,
			},
			allow: [{ path: "test/grid.test.ts", change: "edit", reason: "steps takes a place" }],
		},
		mutants: [
			["Math.abs(to.x - from.x)", "(to.x - from.x)"],
			["(to.y - from.y)", "(to.y)"],
		],
		patch: [
			replace(
				"src/grid.ts",
				`/** Steps from one corner to a place, along the lines. */
export function steps(x: number, y: number): number {
	return Math.abs(x) + Math.abs(y);
}
`,
				`export interface Place {
	readonly x: number;
	readonly y: number;
}

const CORNER: Place = { x: 0, y: 0 };

/** Steps from one place to another, along the lines. */
export function steps(to: Place, from: Place = CORNER): number {
	return Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
}
`,
			),
			replace(
				"test/grid.test.ts",
				`	expect(steps(1, 2)).toBe(3);
	expect(steps(-2, 2)).toBe(4);
});
`,
				`	expect(steps({ x: 1, y: 2 })).toBe(3);
	expect(steps({ x: -2, y: 2 })).toBe(4);
});

it("counts steps from any place", () => {
	expect(steps({ x: 1, y: 2 }, { x: 3, y: -1 })).toBe(5);
});
`,
			),
		],
	},
	{
		name: "stats: cases follow from the names of expected outputs, as the task says, and the list goes",
		project: stats,
		task: {
			description:
				"The runner takes its cases from the names in test/expected (VERB-INPUT.txt), so that none can be forgotten; test/cases.list goes. A case `sum below` is new.",
			adds: { "ls test/cases.list 2>/dev/null | wc -l | tr -d ' '": "0\n" },
			allow: [
				{ path: "test/cases.list", change: "delete", reason: "cases follow from the files" },
				{ path: "test/run.sh", change: "edit", reason: "cases follow from the files" },
			],
		},
		patch: [
			remove("test/cases.list"),
			write("test/expected/sum-below.txt", "-7\n"),
			replace(
				"test/run.sh",
				"# Runs every case of test/cases.list and prints TAP.",
				"# Runs a case for each file in test/expected, VERB-INPUT.txt, and prints TAP.",
			),
			replace(
				"test/run.sh",
				"total=$(grep -c . test/cases.list)\n",
				"set -- test/expected/*-*.txt\ntotal=$#\n",
			),
			replace(
				"test/run.sh",
				"while read -r verb input; do\n",
				`for expected; do
	case=$(basename "$expected" .txt)
	verb=\${case%%-*}
	input=\${case#*-}
`,
			),
			replace("test/run.sh", '"$(cat "test/expected/$verb-$input.txt")"', '"$(cat "$expected")"'),
			replace("test/run.sh", "done <test/cases.list\n", "done\n"),
		],
	},
	{
		name: "temps: further examples stand in the module's table of tests, so that docstrings stay short",
		project: temps,
		patch: [
			...temps.done,
			append(
				"temps.py",
				`

__test__ = {
    "limits": """
    >>> kelvin(-273.15)
    0.0
    >>> kelvin(-273.16)
    Traceback (most recent call last):
    ValueError: below absolute zero
    >>> fahrenheit(-273.15) < -459
    True
    """,
    "means of what was converted": """
    >>> mean([kelvin(0), kelvin(2)])
    274.15
    >>> mean([fahrenheit(0), fahrenheit(100)])
    122.0
    """,
}
`,
			),
		],
	},
];
