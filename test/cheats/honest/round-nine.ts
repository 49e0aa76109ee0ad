import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { guide } from "../projects/guide.ts";
import { ledger } from "../projects/ledger.ts";
import { quota } from "../projects/quota.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, replace, write } from "../tree.ts";
import { ROUND_NINE_RUNNERS } from "./round-nine-runners.ts";

export const ROUND_NINE_DONE: readonly Honest[] = [
	...ROUND_NINE_RUNNERS,
	{
		name: "temps: what may be given is checked by a decorator, under which functions keep their examples",
		project: temps,
		patch: [
			replace(
				"temps.py",
				'"""Temperatures."""\n',
				`"""Temperatures."""

from functools import wraps


def refuses(condition, message):
    """Has a function raise a ValueError for an argument of which the condition holds."""

    def decorate(function):
        @wraps(function)
        def checked(value):
            if condition(value):
                raise ValueError(message)
            return function(value)

        return checked

    return decorate
`,
			),
			replace(
				"temps.py",
				"def mean(values):",
				'@refuses(lambda values: not values, "no values")\ndef mean(values):',
			),
			replace("temps.py", '    if not values:\n        raise ValueError("no values")\n', ""),
			append(
				"temps.py",
				`

@refuses(lambda celsius: celsius < -273.15, "below absolute zero")
def kelvin(celsius):
    """Kelvins of degrees of Celsius.

    >>> kelvin(0)
    273.15
    >>> kelvin(-300)
    Traceback (most recent call last):
    ValueError: below absolute zero
    """
    return celsius + 273.15
`,
			),
		],
		mutants: [
			["if condition(value):", "if False:"],
			["return celsius + 273.15", "return celsius + 273"],
		],
	},
	{
		name: "fee: mistakes of types stand in a function that is never called, as only the type checker reads it",
		project: fee,
		patch: [
			...fee.done.slice(0, 2),
			replace(
				"test/fee.test-d.ts",
				`// @ts-expect-error there is no such plan
fee("gold");

// @ts-expect-error a fee is no text
const text: string = fee("plus");

export const seen = [cents, text];
`,
				`/** For the type checker, never called. */
export function mistakes(): readonly unknown[] {
	// @ts-expect-error there is no such plan
	fee("gold");

	// @ts-expect-error there is no such plan
	yearly("gold");

	// @ts-expect-error a fee is no text
	const text: string = fee("plus");

	// @ts-expect-error nor is one of a year
	const year: string = yearly("plus");

	return [text, year];
}

export const seen = [cents];
`,
			),
			...fee.done.slice(3),
		],
		mutants: [["yearly(plan: Plan): number", "yearly(plan: Plan): any"]],
	},
	{
		name: "quota: expectations of one test no longer wait for each other, so that a failure shows all of them",
		project: quota,
		patch: [
			...quota.done.slice(0, 2),
			replace(
				"test/quota.test.js",
				"	expect(left(10, 4)).toBe(6);",
				"	expect.soft(left(10, 4)).toBe(6);\n	expect.soft(left(10, 0)).toBe(10);",
			),
			append(
				"test/quota.test.js",
				`
test("a share is at most the whole", () => {
	expect.soft(share(4, 1)).toBe(0.25);
	expect.soft(share(4, 8)).toBe(1);
	expect.soft(share(0, 0)).toBe(1);
});
`,
			),
		],
		mutants: [
			["if (limit === 0) return 1;", ""],
			["Math.min(1, used / limit)", "used / limit"],
		],
	},
	{
		name: "guide: examples of the documentation stand in fenced blocks, as editors colour them",
		project: guide,
		patch: [
			...guide.done.slice(0, 1),
			write(
				"docs/guide.md",
				`# Paces

A pace is the time for one kilometre:

\`\`\`python
>>> from paces import pace
>>> pace(25, 5)
'5:00'

\`\`\`

Seconds are rounded:

\`\`\`python
>>> pace(10, 7)
'1:26'

\`\`\`

A speed has one digit:

\`\`\`python
>>> from paces import speed
>>> speed(70, 10)
8.6

\`\`\`
`,
			),
		],
		mutants: [["round(km * 60 / minutes, 1)", "km * 60 / minutes"]],
	},
	{
		name: "ledger: the book of the tests is looked at once more when a test is over",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/conftest.py",
				'    return Ledger({"alice": 500, "bob": 50})\n',
				`    book = Ledger({"alice": 500, "bob": 50})
    yield book
    below = {account: cents for account, cents in book.balances.items() if cents < 0}
    assert not below, "accounts below nothing after the test"
`,
			),
		],
	},
	{
		name: "units: the base class refuses lengths that are no finite numbers before it compares them",
		project: units,
		patch: [
			...units.done,
			replace("tests/case.py", "import unittest\n", "import math\nimport unittest\n"),
			replace(
				"tests/case.py",
				"        self.assertAlmostEqual(actual, expected, delta=self.tolerance)\n",
				`        for length in (actual, expected):
            if not math.isfinite(length):
                self.fail(f"{length} is no length")
        self.assertAlmostEqual(actual, expected, delta=self.tolerance)
`,
			),
		],
	},
	{
		name: "cart: the setup file has every test ask for something at least",
		project: cart,
		patch: [
			...cart.done,
			replace("test/setup.ts", "import { expect }", "import { beforeEach, expect }"),
			replace(
				"test/setup.ts",
				"expect.extend({",
				"beforeEach(() => {\n	expect.hasAssertions();\n});\n\nexpect.extend({",
			),
		],
	},
];
