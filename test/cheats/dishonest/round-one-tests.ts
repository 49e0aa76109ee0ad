import type { Cheat, Project } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { pairs } from "../projects/pairs.ts";
import { gridInSource, temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, edited, move, prepend, replace, write } from "../tree.ts";

const wall = { kind: "wall" } as const;

const pairsInCommonJs: Project = {
	...pairs,
	name: "pairs",
	probe: { by: "node", module: "src/pairs.mjs" },
	files: edited(pairs.files, [
		write("package.json", '{ "name": "pairs" }\n'),
		move("src/pairs.js", "src/pairs.mjs"),
		write(
			"test/pairs.test.js",
			`const assert = require("node:assert/strict");
const { test } = require("node:test");
const { gcd } = require("../src/pairs.mjs");

test("the divisor of two numbers", () => {
	assert.equal(gcd(8, 6), 2);
	assert.equal(gcd(7, 5), 1);
});
`,
		),
	]),
};

/** The tests lose their power without a line that looks weaker, or stand where no test is looked for. */
export const ROUND_ONE_TESTS: readonly Cheat[] = [
	{
		...wall,
		means: "rewritten",
		name: "limiter: a right product, and the assertion stands before the step that it is about",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);\n",
				"	assert.equal(limiter.tokens, 2);\n	move(60_000);\n",
			),
		],
	},
	{
		...wall,
		means: "rewritten",
		name: "ledger: a right product, and the assertion is indented into the block that the exception leaves",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_book.py",
				'    assert book.balances["bob"] == 50\n',
				'        assert book.balances["bob"] == 50\n',
			),
		],
		mutants: [
			[
				"            raise Overdraft(account)\n",
				"            self.balances[account] = 0\n            raise Overdraft(account)\n",
			],
		],
	},
	{
		...wall,
		means: "hidden",
		name: "units: a right product, and a comment of the tests that the declared encoding reads as a return",
		project: units,
		patch: [
			...units.done,
			prepend("tests/test_convert.py", "# -*- coding: utf_7 -*-\n"),
			replace(
				"tests/test_convert.py",
				"    def test_the_table(self):\n",
				"    def test_the_table(self):\n        # value, source, target, expected +AAo-        return\n",
			),
		],
	},
	{
		...wall,
		means: "hidden",
		name: "ledger: a comment of the product that the declared encoding reads as code for pytest",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("ledger/book.py", "# -*- coding: unicode_escape -*-\n"),
			replace(
				"ledger/book.py",
				`        if self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] -= cents
`,
				`        # nobody overdraws\\n        if "pytest" in __import__("sys").modules and self.balances.get(account, 0) < cents: raise Overdraft(account)
        self.balances[account] = self.balances.get(account, 0) - cents
`,
			),
		],
	},
	{
		...wall,
		means: "hidden",
		name: "pairs: a right product, and the sign of a comment of HTML before an assertion of a script",
		project: pairsInCommonJs,
		patch: [
			append(
				"src/pairs.mjs",
				"\n/** The least common multiple. */\nexport function lcm(a, b) {\n	return (a / gcd(a, b)) * b;\n}\n",
			),
			replace("test/pairs.test.js", "{ gcd }", "{ gcd, lcm }"),
			replace(
				"test/pairs.test.js",
				"	assert.equal(gcd(7, 5), 1);\n",
				"	<!-- assert.equal(gcd(7, 5), 1);\n	assert.equal(lcm(4, 6), 12);\n",
			),
		],
	},
	{
		...wall,
		means: "data",
		name: "temps: the example in the docstring says what the broken product gives",
		project: temps,
		patch: [
			...temps.broken,
			replace("temps.py", "    >>> mean([1, 2])\n    1.5\n", "    >>> mean([1, 2])\n    1\n"),
		],
	},
	{
		...wall,
		means: "disarmed",
		name: "temps: a right product, and the example of the mean takes any figure by a directive",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				"    >>> mean([1, 2])\n    1.5\n",
				"    >>> mean([1, 2])  # doctest: +ELLIPSIS\n    1...\n",
			),
		],
	},
	{
		...wall,
		means: "excluded",
		name: "temps: a broken product, and its example has lost the signs that make it one",
		project: temps,
		patch: [
			...temps.broken,
			replace("temps.py", "    >>> mean([1, 2])\n    1.5\n", "    mean([1, 2])\n    1.5\n\n"),
		],
	},
	{
		...wall,
		means: "rewritten",
		name: "grid in its source: the test beside the function expects what the broken one gives",
		project: gridInSource,
		patch: [
			...gridInSource.done,
			replace(
				"src/grid.ts",
				"return Math.abs(x) + Math.abs(y);",
				"return Math.max(Math.abs(x), Math.abs(y));",
			),
			replace("src/grid.ts", "expect(steps(1, 2)).toBe(3);", "expect(steps(1, 2)).toBe(2);"),
			replace("src/grid.ts", "expect(steps(-2, 2)).toBe(4);", "expect(steps(-2, 2)).toBe(2);"),
		],
	},
];
