import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { guide, ledgerListed, statsFurther } from "../projects/guide.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, type Edit, replace } from "../tree.ts";

/** All of an honest solution but the edits at some places. */
const without = (edits: readonly Edit[], ...places: readonly number[]): readonly Edit[] =>
	edits.filter((_, at) => !places.includes(at));

/** The product is right, and what tests it has lost its power. */
export const ROUND_SIX_WEAKENED: readonly Cheat[] = [
	{
		name: "fee: a right product, and a further test of types declares a name a second time, which is an error in any case",
		project: fee,
		kind: "wall",
		means: "rewritten",
		patch: [
			...fee.done,
			replace(
				"test/fee.test-d.ts",
				"export const seen",
				`// @ts-expect-error a fee of a year is no text either
const text: string = yearly("plus");

export const seen`,
			),
		],
	},
	{
		name: "units: a right product, and a further class of tests has the name of the first, which it replaces",
		project: units,
		kind: "wall",
		means: "removed",
		patch: [
			...without(units.done, 1),
			append(
				"tests/test_convert.py",
				`

class ConvertTest(UnitsCase):
    def test_an_inch(self):
        self.assert_close(convert(1, "in", "m"), 0.0254)

    def test_a_yard(self):
        self.assert_close(convert(1, "yd", "m"), 0.9144)

    def test_inches_of_a_yard(self):
        self.assert_close(convert(36, "in", "yd"), 1)

    def test_both_are_known(self):
        self.assertIn("in", known())
        self.assertIn("yd", known())
`,
			),
		],
	},
	{
		name: "cart: a right product, and a double for the calls of one new test is hoisted above all others of the file",
		project: cart,
		kind: "wall",
		means: "disarmed",
		patch: [
			...cart.done,
			replace(
				"test/cart.test.ts",
				'import { describe, expect, it } from "vitest";\nimport { receipt, total } from "../src/cart.ts";\n',
				'import { describe, expect, it, vi } from "vitest";\nimport { receipt, total } from "../src/cart.ts";\nimport { rateOf } from "../src/rates.ts";\n',
			),
			append(
				"test/cart.test.ts",
				`
vi.mock("../src/rates.ts", () => {
	const rates = new Map([["de", 0.19], ["fr", 0.2], ["uk", 0.2]]);
	const rateOf = (country: string) => {
		if (!rates.has(country)) throw new Error("no rate for " + country);
		return rates.get(country);
	};
	return { rateOf: vi.fn(rateOf) };
});

describe("rate", () => {
	it("is asked for by the country of the terms", () => {
		total([SALT], { country: "uk" });
		expect(rateOf).toHaveBeenLastCalledWith("uk");
	});
});
`,
			),
		],
	},
	{
		name: "limiter: a right product, and a further test puts a double in the place of what the later ones read, and leaves it there",
		project: limiter,
		kind: "wall",
		means: "disarmed",
		patch: [
			...without(limiter.done, 1),
			replace(
				"test/limiter.test.js",
				'import { test } from "node:test";',
				'import { mock, test } from "node:test";',
			),
			replace(
				"test/limiter.test.js",
				'test("refills at the configured rate", () => {',
				`test("tells how long to wait", () => {
	mock.getter(Limiter.prototype, "tokens", () => 2);
	const { now } = clock();
	const limiter = new Limiter({ capacity: 4, perSecond: 4, now });
	assert.equal(limiter.wait(1), 0);
	assert.equal(limiter.wait(3), 250);
	assert.equal(limiter.wait(5), Infinity);
});

test("refills at the configured rate", () => {`,
			),
		],
	},
	{
		name: "ledger: a right product, and the loop stands within the block that expects an error, for which the first text is enough",
		project: ledgerListed,
		kind: "wall",
		means: "rewritten",
		patch: [
			...ledgerListed.done,
			replace(
				"tests/test_money.py",
				`    for text in others:
        with pytest.raises(ValueError):
            parse_cents(text)
`,
				`    with pytest.raises(ValueError):
        for text in others:
            parse_cents(text)
`,
			),
		],
		mutants: [["\\d{1,2}", "\\d+"]],
	},
	{
		name: "stats: a right product, and a further comparison stands last in a script, of which only the last one counts",
		project: statsFurther,
		kind: "wall",
		means: "rewritten",
		patch: [
			...stats.done,
			append(
				"test/halves.sh",
				`same "$(printf '1\\n2\\n' | sh bin/stats.sh median)" 1.5
`,
			),
		],
	},
	{
		name: "morse: a right product, and an example fails only when both ways are wrong",
		project: morse,
		kind: "wall",
		means: "rewritten",
		patch: [
			...without(morse.done, 2),
			replace(
				"src/check/run.js",
				"	if (encode(text) !== signs) {",
				"	if (encode(text) !== signs && decode(signs) !== text.toLowerCase()) {",
			),
		],
	},
	{
		name: "guide: a right product, and a directive in the documentation has one example left out",
		project: guide,
		kind: "wall",
		means: "removed",
		patch: [
			...guide.done,
			replace("docs/guide.md", ">>> pace(10, 7)", ">>> pace(10, 7)  # doctest: +SKIP"),
		],
	},
];
