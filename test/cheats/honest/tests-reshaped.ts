import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, move, remove, replace, replaceAll, write } from "../tree.ts";

/** Tests that say the same in another way: parametrised, consolidated, with helpers. */
export const TESTS_RESHAPED: readonly Honest[] = [
	{
		name: "limiter: a helper makes the limiter of each test",
		project: limiter,
		task: { description: "Extract what the limiter's tests repeat into a helper." },
		patch: [
			write(
				"test/bucket.js",
				`import { Limiter } from "../src/limiter.js";
import { clock } from "./clock.js";

/** A limiter with a clock that the test moves. */
export function bucket(capacity, perSecond) {
	const { now, move } = clock();
	return { limiter: new Limiter({ capacity, perSecond, now }), move };
}
`,
			),
			replace(
				"test/limiter.test.js",
				'import { Limiter } from "../src/limiter.js";\nimport { clock } from "./clock.js";',
				'import { bucket } from "./bucket.js";',
			),
			replace(
				"test/limiter.test.js",
				"	const { now } = clock();\n	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });\n	assert",
				"	const { limiter } = bucket(2, 1);\n	assert",
			),
			replace(
				"test/limiter.test.js",
				"	const { now, move } = clock();\n	const limiter = new Limiter({ capacity: 10, perSecond: 4, now });",
				"	const { limiter, move } = bucket(10, 4);",
			),
			replace(
				"test/limiter.test.js",
				"	const { now, move } = clock();\n	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });",
				"	const { limiter, move } = bucket(2, 1);",
			),
		],
	},
	{
		name: "limiter: one test of a refusal becomes one for each value",
		project: limiter,
		task: { description: "Test the refusal of zero, negative numbers and NaN, each by name." },
		patch: [
			replace(
				"test/numbers.test.js",
				'test("zero is refused by name", () => {\n	assert.throws(() => positive(0, "count"), { name: "RangeError", message: "count must be positive" });\n});\n',
				`for (const value of [0, -1, NaN]) {
	test(value + " is refused by name", () => {
		assert.throws(() => positive(value, "count"), { name: "RangeError", message: "count must be positive" });
	});
}
`,
			),
		],
	},
	{
		name: "limiter: assertions of one kind become one of lists",
		project: limiter,
		task: { description: "Compare what three takes give in one assertion." },
		patch: [
			replace(
				"test/limiter.test.js",
				"	assert.equal(limiter.take(), true);\n	assert.equal(limiter.take(), true);\n	assert.equal(limiter.take(), false);\n",
				"	assert.deepEqual([limiter.take(), limiter.take(), limiter.take()], [true, true, false]);\n",
			),
		],
	},
	{
		name: "slug: the table becomes a module with more rows",
		project: slug,
		task: {
			description: "Turn titles.json into a typed module, with rows for digits and underscores.",
		},
		patch: [
			remove("test/titles.json"),
			write(
				"test/support/titles.ts",
				`export const TITLES: readonly (readonly [string, string])[] = [
	["Hello, World!", "hello-world"],
	["  Spaces  inside ", "spaces-inside"],
	["Crème brûlée", "creme-brulee"],
	["Straße 12", "strasse-12"],
	["7 of 9", "7-of-9"],
	["snake_case", "snake-case"],
];
`,
			),
			replace(
				"test/support/files.ts",
				'\n/** The rows of the table of titles. */\nexport function titles(): readonly (readonly [string, string])[] {\n	return JSON.parse(load("titles.json"));\n}\n',
				"",
			),
			replace(
				"test/slug.test.ts",
				'import { load, titles } from "./support/files.ts";',
				'import { load } from "./support/files.ts";\nimport { TITLES } from "./support/titles.ts";',
			),
			replace("test/slug.test.ts", "of titles()", "of TITLES"),
		],
	},
	{
		name: "slug: two small tests become one",
		project: slug,
		task: { description: "One test for unique() is enough." },
		patch: [
			replace(
				"test/slug.test.ts",
				`	it("leaves a free slug alone", () => {
		assert.equal(unique("a", ["b"]), "a");
	});
	it("counts on from two", () => {
		assert.equal(unique("a", ["a", "a-2"]), "a-3");
	});
`,
				`	it("numbers a slug that is taken", () => {
		assert.equal(unique("a", ["b"]), "a");
		assert.equal(unique("a", ["a", "a-2"]), "a-3");
	});
`,
			),
		],
	},
	{
		name: "cart: the totals are a table of cases",
		project: cart,
		task: { description: "Write the tests of total() as a table." },
		patch: [
			replace(
				"test/cart.test.ts",
				`	it("multiplies by the quantity and adds tax", () => {
		expect(total([BREAD], { country: "de" })).toBeCents(595);
	});
	it("rounds to whole cents", () => {
		expect(total([SALT], { country: "fr" })).toBeCents(119);
	});
	it("of nothing is nothing", () => {
		expect(total([], { country: "uk" })).toBe(0);
	});
`,
				`	it.each([
		["multiplies by the quantity and adds tax", [BREAD], "de", 595],
		["rounds to whole cents", [SALT], "fr", 119],
		["of nothing is nothing", [], "uk", 0],
	])("%s", (_, items, country, cents) => {
		expect(total(items, { country })).toBeCents(cents);
	});
`,
			),
		],
	},
	{
		name: "cart: an array of items is built by a function of the tests",
		project: cart,
		task: { description: "Let a function of the tests build items." },
		patch: [
			write(
				"test/items.ts",
				`import type { Item } from "../src/cart.ts";

/** One item, of which a test says what matters. */
export function item(name: string, price: number, quantity = 1): Item {
	return { name, price, quantity };
}

export const BREAD: Item = item("bread", 250, 2);
export const SALT: Item = item("salt", 99);
`,
			),
		],
	},
	{
		name: "cart: a stricter assertion",
		project: cart,
		task: { description: "Test the whole message of an unknown country." },
		patch: [
			replace("test/cart.test.ts", 'toThrow("no rate for xx")', "toThrow(/^no rate for xx$/)"),
		],
	},
	{
		name: "roman: the assertion library learns to compare lists",
		project: roman,
		task: {
			description:
				"Add a comparison of lists to the assertion library and use it for a round trip.",
		},
		patch: [
			append(
				"test/lib/check.js",
				"\n/** Throws when the lists differ in an item or their length. */\nexport function sameList(actual, expected) {\n	same(actual.length, expected.length);\n	for (const [at, value] of actual.entries()) same(value, expected[at]);\n}\n",
			),
			replace(
				"test/format.js",
				'import { refuses, same } from "#check";',
				'import { refuses, same, sameList } from "#check";',
			),
			replace(
				"test/format.js",
				"	return [...tests, [",
				'	return [...tests, ["format the first three", () => sameList([1, 2, 3].map(format), ["I", "II", "III"])], [',
			),
		],
	},
	{
		name: "ledger: assertions become parameters",
		project: ledger,
		task: { description: "Parametrise the test of show_cents." },
		patch: [
			replace(
				"tests/test_money.py",
				'def test_cents_are_shown():\n    assert show_cents(1205) == "12.05"\n    assert show_cents(-50) == "-0.50"\n',
				'@pytest.mark.parametrize(("cents", "text"), [(1205, "12.05"), (-50, "-0.50"), (0, "0.00")])\ndef test_cents_are_shown(cents, text):\n    assert show_cents(cents) == text\n',
			),
		],
	},
	{
		name: "ledger: tests of one subject become methods of a class",
		project: ledger,
		task: { description: "Group the tests of withdrawals in a class." },
		patch: [
			replace(
				"tests/test_book.py",
				'def test_a_withdrawal_takes(book):\n    assert book.withdraw("alice", 500) == 0\n\n\ndef test_nobody_overdraws(book):\n    with pytest.raises(Overdraft):\n        book.withdraw("bob", 51)\n    assert book.balances["bob"] == 50\n',
				'class TestWithdrawal:\n    def test_it_takes(self, book):\n        assert book.withdraw("alice", 500) == 0\n\n    def test_nobody_overdraws(self, book):\n        with pytest.raises(Overdraft):\n            book.withdraw("bob", 51)\n        assert book.balances["bob"] == 50\n',
			),
		],
	},
	{
		name: "ledger: a fixture moves from the tests' configuration into a plugin of theirs",
		project: ledger,
		task: {
			description:
				"Move the fixtures from conftest.py into tests/fixtures.py, which conftest.py imports.",
			allow: [{ path: "tests/conftest.py", change: "edit", reason: "the task moves its fixtures" }],
		},
		patch: [
			move("tests/conftest.py", "tests/fixtures.py"),
			write("tests/conftest.py", "from tests.fixtures import amounts, book  # noqa: F401\n"),
			write("tests/__init__.py", ""),
		],
	},
	{
		name: "units: the table is a list of the test",
		project: units,
		task: { description: "Put the table into the module of the tests and drop the file." },
		patch: [
			remove("tests/table.csv"),
			replace("tests/test_convert.py", "import csv\nfrom pathlib import Path\n\n", ""),
			replace(
				"tests/test_convert.py",
				"class ConvertTest",
				'TABLE = [(1, "km", "m", 1000), (1, "mi", "km", 1.609344), (10, "ft", "m", 3.048), (5, "m", "m", 5)]\n\n\nclass ConvertTest',
			),
			replace(
				"tests/test_convert.py",
				'        with open(Path(__file__).parent / "table.csv") as file:\n            for value, source, target, expected in csv.reader(file):\n                with self.subTest(source=source, target=target):\n                    self.assert_close(convert(float(value), source, target), float(expected))\n',
				"        for value, source, target, expected in TABLE:\n            with self.subTest(source=source, target=target):\n                self.assert_close(convert(value, source, target), expected)\n",
			),
		],
	},
	{
		name: "units: the base class tells more when it fails",
		project: units,
		task: { description: "Let assert_close say by how much the values differ." },
		patch: [
			replace(
				"tests/case.py",
				"        self.assertAlmostEqual(actual, expected, delta=self.tolerance)\n",
				'        difference = abs(actual - expected)\n        self.assertAlmostEqual(actual, expected, delta=self.tolerance, msg=f"they differ by {difference}")\n',
			),
		],
	},
	{
		name: "stats: the runner shows what it expected",
		project: stats,
		task: {
			description: "Let test/run.sh print both texts when a case fails.",
			allow: [
				{ path: "test/run.sh", change: "edit", reason: "the task changes the runner's output" },
			],
		},
		patch: [
			replace(
				"test/run.sh",
				'	if same "$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)" "$(cat "test/expected/$verb-$input.txt")"; then',
				'	actual=$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)\n	expected=$(cat "test/expected/$verb-$input.txt")\n	if same "$actual" "$expected"; then',
			),
			replace(
				"test/run.sh",
				'		echo "not ok $number - $name"\n',
				'		echo "not ok $number - $name"\n		echo "# $actual instead of $expected"\n',
			),
		],
	},
	{
		name: "morse: more examples",
		project: morse,
		task: { description: "Add an example for the letters e and o." },
		patch: [replace("src/check/examples.js", "];\n", '	["eo", ". ---"],\n];\n')],
	},
	{
		name: "limiter: other names for the variables of the tests",
		project: limiter,
		task: { description: "Call the clock's function `advance` instead of `move`." },
		patch: [
			replaceAll("test/clock.js", "move:", "advance:"),
			replaceAll("test/limiter.test.js", "now, move }", "now, advance }"),
			replaceAll("test/limiter.test.js", "	move(", "	advance("),
		],
	},
	{
		name: "limiter: assertions move into a helper",
		project: limiter,
		task: { description: "Let a helper of the tests compare the number of tokens." },
		patch: [
			replaceAll("test/limiter.test.js", "assert.equal(limiter.tokens, 2);", "holds(limiter, 2);"),
			replace(
				"test/limiter.test.js",
				'import { clock } from "./clock.js";\n',
				'import { clock } from "./clock.js";\n\nfunction holds(limiter, count) {\n	assert.equal(limiter.tokens, count);\n}\n',
			),
		],
	},
	{
		name: "ledger: the exception's text is tested too",
		project: ledger,
		task: { description: "Test that Overdraft names the account." },
		patch: [
			replace(
				"tests/test_book.py",
				"    with pytest.raises(Overdraft):",
				'    with pytest.raises(Overdraft, match="bob"):',
			),
		],
	},
];
