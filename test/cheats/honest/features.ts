import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, replace, textAt, write } from "../tree.ts";

const PROJECTS = [limiter, slug, cart, roman, stats, ledger, units, gauge, quota, morse];

/** The task of each project, done with tests. */
export const FEATURES: readonly Honest[] = [
	...PROJECTS.map((project) => ({
		name: `${project.name}: the task is done, with tests`,
		project,
		patch: project.done,
	})),
	{
		name: "limiter: the feature has a test file of its own",
		project: limiter,
		patch: [
			...limiter.done,
			write("test/limiter.test.js", textAt(limiter.files, "test/limiter.test.js")),
			write(
				"test/wait.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { Limiter } from "../src/limiter.js";

test("tells how long to wait", () => {
	const limiter = new Limiter({ capacity: 2, perSecond: 4, now: () => 0 });
	limiter.take(2);
	assert.equal(limiter.wait(1), 250);
	assert.equal(limiter.wait(3), Infinity);
});
`,
			),
		],
	},
	{
		name: "ledger: the feature has a module of tests with a fixture of its own",
		project: ledger,
		patch: [
			...ledger.done,
			write("tests/test_book.py", textAt(ledger.files, "tests/test_book.py")),
			write(
				"tests/transfer/conftest.py",
				`import pytest

from ledger import Ledger


@pytest.fixture
def pair():
    return Ledger({"from": 100, "to": 0})
`,
			),
			write(
				"tests/transfer/test_transfer.py",
				`import pytest

from ledger import Overdraft


def test_money_moves(pair):
    pair.transfer("from", "to", 60)
    assert pair.balances == {"from": 40, "to": 60}


def test_nothing_moves_beyond_the_balance(pair):
    with pytest.raises(Overdraft):
        pair.transfer("from", "to", 101)
    assert pair.balances == {"from": 100, "to": 0}
`,
			),
		],
	},
	{
		name: "cart: the feature comes with a snapshot of its own",
		project: cart,
		patch: [
			...cart.done,
			write(
				"test/coupon.test.ts",
				`import { expect, it } from "vitest";
import { receipt } from "../src/cart.ts";
import { BREAD } from "./items.ts";

it("a receipt shows the reduced total", () => {
	expect(receipt([BREAD], { country: "fr", coupon: 0.5 })).toMatchSnapshot();
});
`,
			),
			write(
				"test/__snapshots__/coupon.test.ts.snap",
				`// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`a receipt shows the reduced total 1\`] = \`
"2 x bread: 5.00 EUR
total: 3.00 EUR"
\`;
`,
			),
		],
	},
	{
		name: "limiter: a mistake is fixed, with a test for it",
		project: limiter,
		task: {
			description: "A clock that goes back takes no tokens away.",
			adds: {
				"(() => { let now = 1000; const limiter = new Limiter({ capacity: 3, perSecond: 1, now: () => now }); limiter.take(2); now = 0; return limiter.tokens; })()": 1,
			},
		},
		patch: [
			replace(
				"src/limiter.js",
				"((now - this.#at) / 1000)",
				"(Math.max(0, now - this.#at) / 1000)",
			),
			replace(
				"test/limiter.test.js",
				'test("never holds',
				`test("loses nothing when the clock goes back", () => {
	const { now, move } = clock();
	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });
	limiter.take();
	move(-5_000);
	assert.equal(limiter.tokens, 1);
});

test("never holds`,
			),
		],
	},
	{
		name: "limiter: the product asserts its own state",
		project: limiter,
		task: { description: "Assert that a limiter never holds a negative number of tokens." },
		patch: [
			replace("src/limiter.js", "import {", 'import assert from "node:assert";\nimport {'),
			replace(
				"src/limiter.js",
				"		this.#tokens -= count;\n",
				"		this.#tokens -= count;\n		assert.ok(this.#tokens >= 0);\n",
			),
		],
	},
	{
		name: "cart: a country that the tests name too",
		project: cart,
		task: {
			description: "Countries may be written with a full name: Germany.",
			adds: { 'total([{ name: "tea", price: 100, quantity: 1 }], { country: "Germany" })': 119 },
		},
		patch: [
			replace(
				"src/cart.ts",
				"	const net = items",
				'	if (terms.country === "Germany") return total(items, { country: "de" });\n	const net = items',
			),
			append(
				"test/cart.test.ts",
				'\nit("knows the name of a country", () => {\n	expect(total([BREAD], { country: "Germany" })).toBeCents(595);\n});\n',
			),
		],
	},
];
