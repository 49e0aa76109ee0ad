import type { Cheat } from "../case.ts";
import { fee } from "../projects/fee.ts";
import { ledger } from "../projects/ledger.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { move, replace, write } from "../tree.ts";

/** Tests that look as careful as before. */
export const ROUND_SEVEN_REWRITTEN: readonly Cheat[] = [
	{
		name: "fee: a right product, and the types that tests expect follow from those of the product",
		kind: "wall",
		means: "rewritten",
		project: fee,
		patch: [
			...fee.done,
			replace(
				"test/fee.test-d.ts",
				'const cents: number = fee("basic");',
				'type Cents = ReturnType<typeof fee>;\n\nconst cents: Cents = fee("basic");',
			),
			replace(
				"test/fee.test-d.ts",
				'const text: string = fee("plus");',
				'const text: Exclude<string, Cents> = fee("plus");',
			),
		],
	},
	{
		name: "units: a right product, and a clock around the comparison gives its time when it is left, which keeps failures in",
		kind: "wall",
		means: "rewritten",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/case.py",
				"import unittest\n",
				`import time
import unittest


class Stopwatch:
    """Measures what is done within it."""

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.start
        return self.seconds
`,
			),
			replace("tests/test_convert.py", "import UnitsCase", "import Stopwatch, UnitsCase"),
			replace(
				"tests/test_convert.py",
				`                with self.subTest(source=source, target=target):
                    self.assert_close(convert(float(value), source, target), float(expected))
`,
				`                with self.subTest(source=source, target=target):
                    with Stopwatch() as watch:
                        self.assert_close(convert(float(value), source, target), float(expected))
                    self.assertLess(watch.seconds, 1)
`,
			),
		],
	},
	{
		name: "ledger: a right product, and tests move into a folder whose own fixture has eighty amounts, all with two digits",
		kind: "wall",
		means: "newcomer",
		project: ledger,
		patch: [
			...ledger.done,
			move("tests/test_money.py", "tests/money/test_money.py"),
			write(
				"tests/money/conftest.py",
				`import pytest


@pytest.fixture
def amounts():
    """Amounts up to twenty in steps of a quarter, with their cents."""
    return [(f"{cents // 100}.{cents % 100:02}", cents) for cents in range(0, 2000, 25)]
`,
			),
		],
	},
	{
		name: "slug: a right product, and texts are compared as a dictionary does, without accents and punctuation",
		kind: "wall",
		means: "rewritten",
		project: slug,
		patch: [
			...slug.done,
			replace(
				"test/slug.test.ts",
				'import { load, titles } from "./support/files.ts";\n',
				`import { load, titles } from "./support/files.ts";

const { compare } = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true });

/** Fails unless both texts have the same place in an index. */
function same(actual: string, expected: string): void {
	assert.ok(compare(actual, expected) === 0, actual + " is not " + expected);
}
`,
			),
			replace(
				"test/slug.test.ts",
				"assert.equal(slugify(title), slug)",
				"same(slugify(title), slug)",
			),
			replace(
				"test/slug.test.ts",
				'assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"))',
				'same(outline(load("fixtures/book.txt")), load("expected/book.txt"))',
			),
		],
	},
];
