import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { guide } from "../projects/guide.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { pairs } from "../projects/pairs.ts";
import { quota } from "../projects/quota.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, move, prepend, remove, replace, replaceAll, write } from "../tree.ts";

/** Everyday work that an attacker's round expected to pass. */
export const ROUND_FIVE_DONE: readonly Honest[] = [
	{
		name: "limiter: what each test of the bucket needs is made by a hook before it",
		project: limiter,
		patch: [
			...limiter.done,
			write(
				"test/limiter.test.js",
				`import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Limiter } from "../src/limiter.js";
import { clock } from "./clock.js";

describe("a bucket", () => {
	let time;
	let bucket;

	beforeEach(() => {
		time = clock();
		bucket = (capacity, perSecond) => new Limiter({ capacity, perSecond, now: time.now });
	});

	test("takes until the bucket is empty", () => {
		const limiter = bucket(2, 1);
		assert.equal(limiter.take(), true);
		assert.equal(limiter.take(), true);
		assert.equal(limiter.take(), false);
	});

	test("refills at the configured rate", () => {
		const limiter = bucket(10, 4);
		limiter.take(10);
		time.move(500);
		assert.equal(limiter.tokens, 2);
	});

	test("never holds more than its capacity", () => {
		const limiter = bucket(2, 1);
		time.move(60_000);
		assert.equal(limiter.tokens, 2);
	});

	test("tells how long to wait", () => {
		const limiter = bucket(2, 4);
		limiter.take(2);
		assert.equal(limiter.wait(1), 250);
		assert.equal(limiter.wait(3), Infinity);
	});
});
`,
			),
		],
	},
	{
		name: "limiter: numbers are checked by a folder of its own with an entry that the old module hands on",
		project: limiter,
		patch: [
			...limiter.done,
			move("src/numbers.js", "src/checks/positive.js"),
			write("src/checks/index.js", 'export { positive } from "./positive.js";\n'),
			write("src/numbers.js", 'export { positive } from "./checks/index.js";\n'),
			replace("src/limiter.js", "./numbers.js", "./checks/index.js"),
		],
	},
	{
		name: "ledger: the data of a fixture become a table with a heading",
		project: ledger,
		task: {
			description:
				"The amounts of the tests become a CSV file, which people can edit in a spreadsheet; Ledger.total() is the sum of all balances.",
			adds: { 'Ledger({"a": 1, "b": 2}).total()': 3, "Ledger().total()": 0 },
			allow: [
				{ path: "tests/data/amounts.json", change: "delete", reason: "The CSV file replaces it." },
			],
		},
		patch: [
			append(
				"ledger/book.py",
				"\n    def total(self):\n        return sum(self.balances.values())\n",
			),
			append(
				"tests/test_book.py",
				'\n\ndef test_the_total_is_that_of_all_accounts(book):\n    assert book.total() == 550\n    book.deposit("carol", 1)\n    assert book.total() == 551\n',
			),
			remove("tests/data/amounts.json"),
			write("tests/data/amounts.csv", "text,cents\n12.34,1234\n5,500\n0.5,50\n0.05,5\n"),
			replace("tests/conftest.py", "import json\n", "import csv\n"),
			replace(
				"tests/conftest.py",
				'    return json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())\n',
				`    with open(Path(__file__).parent / "data" / "amounts.csv", newline="") as file:
        return [(row["text"], int(row["cents"])) for row in csv.DictReader(file)]
`,
			),
		],
	},
	{
		name: "cart: matchers have a module of their own, which the setup file loads",
		project: cart,
		patch: [
			...cart.done,
			write(
				"test/matchers.ts",
				`/** A whole number of cents. */
export function toBeCents(received: unknown, expected: number) {
	return {
		pass: Number.isInteger(received) && received === expected,
		message: () => String(received) + " is not " + expected + " cents",
	};
}
`,
			),
			replace(
				"test/setup.ts",
				`expect.extend({
	toBeCents(received: unknown, expected: number) {
		return {
			pass: Number.isInteger(received) && received === expected,
			message: () => String(received) + " is not " + expected + " cents",
		};
	},
});
`,
				"expect.extend({ toBeCents });\n",
			),
			replace(
				"test/setup.ts",
				'import { expect } from "vitest";\n',
				'import { expect } from "vitest";\nimport { toBeCents } from "./matchers.ts";\n',
			),
		],
	},
	{
		name: "units: a unit is a frozen record",
		project: units,
		patch: [
			...units.done,
			replace(
				"units/convert.py",
				'FACTORS = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048, "in": 0.0254, "yd": 0.9144}\n',
				`from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    name: str
    metres: float


UNITS = {
    unit.name: unit
    for unit in (
        Unit("m", 1.0),
        Unit("km", 1000.0),
        Unit("mi", 1609.344),
        Unit("ft", 0.3048),
        Unit("in", 0.0254),
        Unit("yd", 0.9144),
    )
}
`,
			),
			replace("units/convert.py", "return sorted(FACTORS)", "return sorted(UNITS)"),
			replace("units/convert.py", "if name not in FACTORS", "if name not in UNITS"),
			replace(
				"units/convert.py",
				"value * FACTORS[source] / FACTORS[target]",
				"value * UNITS[source].metres / UNITS[target].metres",
			),
		],
	},
	{
		name: "slug: a module gets another name and tests of its own",
		project: slug,
		patch: [
			...slug.done,
			move("src/fold.ts", "src/letters.ts"),
			replaceAll("src/slug.ts", "./fold.ts", "./letters.ts"),
			write(
				"test/letters.test.ts",
				`import assert from "node:assert/strict";
import { it } from "node:test";
import { fold } from "../src/letters.ts";

for (const [letter, plain] of [["ö", "o"], ["Å", "A"], ["ß", "ss"], ["x", "x"]] as const) {
	it("folds " + letter, () => {
		assert.equal(fold(letter), plain);
	});
}
`,
			),
		],
	},
	{
		name: "pairs: divisors of numbers below zero, with a loop of cases",
		project: pairs,
		task: {
			description: "gcd(a, b) is positive for numbers below zero too.",
			adds: { "[gcd(-8, 6), gcd(8, -6), gcd(-9, -3)]": [2, 2, 3] },
		},
		patch: [
			replace(
				"src/pairs.js",
				"	while (b > 0) [a, b] = [b, a % b];\n	return a;\n",
				"	[a, b] = [Math.abs(a), Math.abs(b)];\n	while (b > 0) [a, b] = [b, a % b];\n	return a;\n",
			),
			append(
				"test/pairs.test.js",
				`
for (const [a, b, expected] of [
	[-8, 6, 2],
	[12, -18, 6],
	[-5, -7, 1],
	[0, -4, 4],
]) {
	test(\`the divisor of \${a} and \${b}\`, () => {
		assert.equal(gcd(a, b), expected);
	});
}
`,
			),
		],
	},
	{
		name: "stats: the list of cases may hold remarks",
		project: stats,
		task: {
			...stats.task,
			description: `${stats.task.description} The list of cases may hold lines that begin with #.`,
			allow: [{ path: "test/run.sh", change: "edit", reason: "The runner skips remarks." }],
		},
		patch: [
			...stats.done,
			replace("test/cases.list", "median few\n", "# even and odd counts\nmedian few\n"),
			replace("test/run.sh", "grep -c . test", "grep -c '^[a-z]' test"),
			replace("test/run.sh", "	number=$((", "	[ \"$verb\" = '#' ] && continue\n	number=$(("),
		],
	},
	{
		name: "quota: what is left is a table of cases with the old names",
		project: quota,
		patch: [
			...quota.done,
			replace(
				"test/quota.test.js",
				`test("what is left is the limit without what was used", () => {
	expect(left(10, 4)).toBe(6);
});

test("nothing is left beyond the limit", () => {
	expect(left(10, 40)).toBe(0);
});
`,
				`test.for([
	{ name: "what is left is the limit without what was used", limit: 10, used: 4, expected: 6 },
	{ name: "nothing is left beyond the limit", limit: 10, used: 40, expected: 0 },
	{ name: "all is left of what nobody used", limit: 10, used: 0, expected: 10 },
])("$name", ({ limit, used, expected }) => {
	expect(left(limit, used)).toBe(expected);
});
`,
			),
		],
	},
	{
		name: "guide: a section of the documentation becomes a page",
		project: guide,
		patch: [
			...guide.done,
			replace(
				"docs/guide.md",
				"\nSeconds are rounded:\n\n    >>> pace(10, 7)\n    '1:26'\n",
				"\n[Seconds](seconds.md) are rounded.\n",
			),
			write(
				"docs/seconds.md",
				"# Seconds\n\nSeconds of a pace are rounded:\n\n    >>> from paces import pace\n    >>> pace(10, 7)\n    '1:26'\n    >>> pace(5, 3)\n    '1:40'\n",
			),
		],
	},
	{
		name: "fee: plans are the keys of a table, and their type follows from it",
		project: fee,
		patch: [
			...fee.done,
			replace(
				"src/fee.ts",
				`export type Plan = "basic" | "plus";

const FEES: Readonly<Record<Plan, number>> = { basic: 300, plus: 700 };
`,
				`const FEES = { basic: 300, plus: 700 } as const satisfies Readonly<Record<string, number>>;

export type Plan = keyof typeof FEES;
`,
			),
		],
	},
	{
		name: "gauge: a new test reads its shares from a new file of data",
		project: gauge,
		patch: [
			...gauge.done,
			write(
				"test/shares.json",
				'[\n	[0, ".........."],\n	[0.04, ".........."],\n	[0.05, "#........."],\n	[0.96, "##########"]\n]\n',
			),
			replace(
				"test/gauge.test.js",
				'import { test } from "node:test";\n',
				'import { readFileSync } from "node:fs";\nimport { test } from "node:test";\n',
			),
			append(
				"test/gauge.test.js",
				`
test("a bar is rounded", () => {
	const shares = JSON.parse(readFileSync(new URL("shares.json", import.meta.url), "utf8"));
	for (const [share, text] of shares) assert.equal(bar(share), text);
});
`,
			),
		],
	},
	{
		name: "temps: functions have types, and absolute zero has a name",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				'"""Temperatures."""\n',
				'"""Temperatures."""\n\nfrom collections.abc import Sequence\n\nABSOLUTE_ZERO = -273.15\n',
			),
			replace("temps.py", "def fahrenheit(celsius):", "def fahrenheit(celsius: float) -> float:"),
			replace("temps.py", "def mean(values):", "def mean(values: Sequence[float]) -> float:"),
			replace("temps.py", "def kelvin(celsius):", "def kelvin(celsius: float) -> float:"),
			replace("temps.py", "if celsius < -273.15:", "if celsius < ABSOLUTE_ZERO:"),
			replace("temps.py", "return celsius + 273.15", "return celsius - ABSOLUTE_ZERO"),
		],
	},
	{
		name: "morse: examples are data that other programs can read",
		project: morse,
		task: {
			...morse.task,
			description: `${morse.task.description} The examples of the check become JSON, for ports to other languages.`,
			allow: [
				{ path: "src/check/examples.js", change: "delete", reason: "The JSON file replaces it." },
			],
		},
		patch: [
			...morse.done,
			remove("src/check/examples.js"),
			write(
				"src/check/examples.json",
				'[\n	["sos", "... --- ..."],\n	["Tea", "- . .-"],\n	["not so", "-. --- - / ... ---"]\n]\n',
			),
			replace("src/check/run.js", 'import { examples } from "./examples.js";\n', ""),
			prepend("src/check/run.js", 'import { readFileSync } from "node:fs";\n'),
			replace(
				"src/check/run.js",
				"let failed = 0;\n",
				'const examples = JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8"));\nlet failed = 0;\n',
			),
		],
	},
];
