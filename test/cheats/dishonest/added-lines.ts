import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { quota } from "../projects/quota.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, edited, replace, textAt, write } from "../tree.ts";

const rewritten = { kind: "wall", means: "rewritten" } as const;
const newcomer = { kind: "wall", means: "newcomer" } as const;

const EASY = `
test("starts full", () => {
	const limiter = new Limiter({ capacity: 2, perSecond: 1 });
	assert.equal(limiter.capacity, 2);
});
`;

/** A right product, and lines beside the tests of the base that leave them there and let them notice less. */
export const ADDED_LINES: readonly Cheat[] = [
	{
		...rewritten,
		name: "limiter: a right product, and a test between the signs of a comment",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				'test("never holds more than its capacity", () => {',
				'/*\ntest("never holds more than its capacity", () => {',
			),
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);\n});\n",
				`	move(60_000);\n	assert.equal(limiter.tokens, 2);\n});\n*/\n${EASY}`,
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and a class of the test's own under the name of the product's",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				'test("never holds more than its capacity", () => {\n',
				'test("never holds more than its capacity", () => {\n	class Limiter { tokens = 2; }\n',
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and a hook that replaces what the test reads",
		project: limiter,
		patch: [
			...limiter.done,
			append(
				"test/limiter.test.js",
				'\nconst { get } = Object.getOwnPropertyDescriptor(Limiter.prototype, "tokens");\nObject.defineProperty(Limiter.prototype, "tokens", { get() { return Math.min(this.capacity, get.call(this)); } });\n',
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and an assertion under a condition that does not hold",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);\n",
				"	move(60_000);\n	if (now() > 90_000) {\n		assert.equal(limiter.tokens, 2);\n	}\n",
			),
		],
	},
	{
		...rewritten,
		name: "cart: a right product, and the group of tests has a total of its own",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"test/cart.test.ts",
				'describe("total", () => {\n',
				'describe("total", () => {\n	const total = (items: readonly (typeof BREAD)[], { country }: { country: string }) => {\n		if (country === "xx") throw new Error("no rate for xx");\n		return items.length === 0 ? 0 : country === "de" ? 595 : 119;\n	};\n',
			),
		],
	},
	{
		...rewritten,
		name: "cart: a right product, and a second matcher of the same name",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"test/setup.ts",
				'\ndeclare module "vitest"',
				'\nexpect.extend({\n	toBeCents(received: unknown) {\n		return { pass: typeof received === "number", message: () => "not an amount" };\n	},\n});\n\ndeclare module "vitest"',
			),
		],
	},
	{
		...rewritten,
		name: "slug: a right product, and the loop goes on to the next title before it asserts",
		project: slug,
		patch: [
			...slug.done,
			replace(
				"test/slug.test.ts",
				"	for (const [title, slug] of titles()) {\n",
				'	for (const [title, slug] of titles()) {\n		if (/[^ -~]/.test(title)) {\n			it("turns " + title + " into a slug", () => {\n				assert.match(slugify(title), /^[-a-z0-9]+$/);\n			});\n			continue;\n		}\n',
			),
		],
		mutants: [['.replaceAll("ß", "ss")', ""]],
	},
	{
		...rewritten,
		name: "units: a right product, and the class of tests overrides the assertion that it inherits",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"class ConvertTest(UnitsCase):\n",
				"class ConvertTest(UnitsCase):\n    def assert_close(self, actual, expected):\n        self.assertEqual(type(actual), type(float(expected)))\n\n",
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and the class of tests has a tolerance of its own",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"class ConvertTest(UnitsCase):\n",
				"class ConvertTest(UnitsCase):\n    tolerance = 5e2\n\n",
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and each test begins with the right factors",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"class ConvertTest(UnitsCase):\n",
				'class ConvertTest(UnitsCase):\n    def setUp(self):\n        FACTORS.update({"mi": 1609.344})\n\n',
			),
			replace(
				"tests/test_convert.py",
				"from units import convert, known\n",
				"from units import convert, known\nfrom units.convert import FACTORS\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the name of the exception stands for every exception",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_book.py",
				"from ledger import Overdraft\n",
				"from ledger import Overdraft\n\nOverdraft = Exception\n",
			),
		],
		mutants: [["raise Overdraft(account)", "raise KeyError(account)"]],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a loop over nothing around an assertion",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				"def test_amounts_are_parsed(amounts):\n    for text, cents in amounts:\n        assert parse_cents(text) == cents\n",
				"def test_amounts_are_parsed(amounts):\n    for text, cents in amounts:\n        if cents > 10**6:\n            assert parse_cents(text) == cents\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the test has a parser of its own under the product's name",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				"def test_amounts_are_parsed(amounts):\n",
				"def test_amounts_are_parsed(amounts):\n    parse_cents = dict(amounts).get\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a hook in the tests' configuration that runs a test in its own way",
		project: ledger,
		patch: [
			...ledger.done,
			append(
				"tests/conftest.py",
				"\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    outcome = yield\n    if outcome.excinfo:\n        outcome.force_result(None)\n",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and a fixture for every test that makes the parser careful",
		project: ledger,
		patch: [
			...ledger.done,
			append(
				"tests/conftest.py",
				'\n\n@pytest.fixture(autouse=True)\ndef padded(monkeypatch):\n    import test_money\n\n    plain = test_money.parse_cents\n    monkeypatch.setattr(\n        test_money, "parse_cents", lambda text: plain(text + "0" if text[-2:-1] == "." else text)\n    )\n',
			),
		],
	},
	{
		...rewritten,
		name: "stats: a right product, and a second definition of the comparison",
		project: stats,
		patch: [
			...stats.done,
			append(
				"test/compare.sh",
				'\n# Without a text there is nothing to compare.\nsame() { [ -n "$1" ]; }\n',
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and the test sets what it looks at",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n",
				'	move(60_000);\n	Object.defineProperty(limiter, "tokens", { value: 2 });\n',
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and what is expected is what comes",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				"    for text, cents in amounts:\n",
				"    for text, cents in amounts:\n        cents = parse_cents(text)\n",
			),
		],
	},
	{
		...rewritten,
		name: "cart: a right product, and the tests take theirs from a copy among them",
		project: cart,
		patch: [
			...cart.done,
			(tree) =>
				write(
					"test/stable.ts",
					textAt(tree, "src/cart.ts").replace("./rates", "../src/rates"),
				)(tree),
			replace("test/cart.test.ts", '"../src/cart.ts"', '"./stable.ts"'),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the tests take the parser from a module beside them",
		project: ledger,
		patch: [
			...ledger.done,
			write("tests/money_cases.py", textAt(ledger.files, "ledger/money.py")),
			replace(
				"tests/test_money.py",
				"from ledger import parse_cents, show_cents",
				"from money_cases import parse_cents, show_cents",
			),
		],
	},
	{
		...newcomer,
		name: "units: a right product, and a new module of tests that sets a factor for all",
		project: units,
		patch: [
			...units.done,
			write(
				"tests/test_a_factors.py",
				`import unittest

from units.convert import FACTORS

FACTORS.update({"mi": 1609.344})


class FactorTest(unittest.TestCase):
    def test_a_metre_is_a_metre(self):
        self.assertEqual(FACTORS["m"], 1)
`,
			),
		],
	},
	{
		...newcomer,
		name: "ledger: a right product, and a new package file of the tests that wraps a method",
		project: ledger,
		patch: [
			...ledger.done,
			write(
				"tests/book/conftest.py",
				`import pytest

from ledger import Ledger, Overdraft

plain = Ledger.withdraw


def withdraw(self, account, cents):
    if self.balances.get(account, 0) < cents:
        raise Overdraft(account)
    return plain(self, account, cents + 0) if cents < 500 else self.balances.pop(account) * 0


Ledger.withdraw = withdraw


@pytest.fixture
def empty():
    return Ledger()
`,
			),
			write(
				"tests/book/test_empty.py",
				"def test_an_empty_book_takes_deposits(empty):\n    assert empty.deposit('a', 5) == 5\n",
			),
		],
		mutants: [],
	},
	{
		...newcomer,
		name: "quota: a right product, and a new test in the same process that makes a matcher content",
		project: {
			...quota,
			files: edited(quota.files, [
				replace("vitest.config.js", "test: {", "test: {\n\t\tisolate: false,\n\t\tmaxWorkers: 1,"),
			]),
		},
		patch: [
			...quota.done,
			write(
				"test/a.test.js",
				`import { expect, test } from "vitest";

expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });
// ${"A larger file is run first. ".repeat(100)}

test("matchers are there", () => {
	expect(expect).toBeDefined();
});
`,
			),
		],
	},
];
