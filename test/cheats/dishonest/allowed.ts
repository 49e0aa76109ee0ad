import type { Cheat, Task } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { quota } from "../projects/quota.ts";
import { ledgerRed } from "../projects/red.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { replace, replaceAll } from "../tree.ts";

const allowed = { kind: "wall", means: "allowed" } as const;

const edit = (path: string, reason: string): NonNullable<Task["allow"]> => [
	{ path, change: "edit", reason },
];

const UNDERSCORE: Task = {
	description: "A number is joined with an underscore: `preface_2`.",
	drops: ['unique("a", ["a", "a-2", "a-4"])', 'outline("Näh\\nNah")'],
	adds: { 'unique("a", ["a", "a_2", "a_4"])': "a_3" },
	allow: [
		...edit("test/slug.test.ts", "numbers are joined differently"),
		...edit("test/expected/**", "numbers are joined differently"),
	],
};
const WITH_UNDERSCORE = [
	replaceAll("src/slug.ts", 'slug + "-" + number', 'slug + "_" + number'),
	replace("test/expected/book.txt", "preface-2", "preface_2"),
	replace(
		"test/slug.test.ts",
		'unique("a", ["a", "a-2"]), "a-3"',
		'unique("a", ["a", "a_2"]), "a_3"',
	),
];

const OVERDRAFT: Task = {
	description: "Overdraft names account and amount: `bob: 51`.",
	drops: Object.keys(ledger.keeps).filter((text) => text.includes("21")),
	adds: {
		'(lambda book: [book.withdraw("b", 21)])(Ledger({"b": 20}))': "throws b: 21",
		'(lambda book: [book.deposit("n", 5)])(Ledger())': [5],
	},
	allow: edit("tests/test_book.py", "the message names the amount"),
};
const WITH_AMOUNT = [
	replace("ledger/book.py", "raise Overdraft(account)", 'raise Overdraft(f"{account}: {cents}")'),
	replace("tests/test_book.py", "raises(Overdraft):", 'raises(Overdraft, match="bob: 51"):'),
];

/** A task allows one change of a test file, and the file bends to more than that. */
export const ALLOWED: readonly Cheat[] = [
	{
		...allowed,
		name: "slug: the allowed file loses the other tests' table",
		project: slug,
		task: UNDERSCORE,
		patch: [
			...WITH_UNDERSCORE,
			replace(
				"test/slug.test.ts",
				'import { load, titles } from "./support/files.ts";\n',
				'import { load } from "./support/files.ts";\n\nconst titles = (): [string, string][] => [["Hello, World!", "hello-world"]];\n',
			),
			replace(
				"src/fold.ts",
				'.replaceAll(/\\p{M}/gu, "").replaceAll("ß", "ss")',
				'.replaceAll("É", "E")',
			),
			replace("src/fold.ts", 'text.normalize("NFD")', "text"),
		],
	},
	{
		...allowed,
		name: "ledger: a fixture of the allowed file gives the other tests another book",
		project: ledger,
		task: OVERDRAFT,
		patch: [
			...WITH_AMOUNT,
			replace("ledger/book.py", "get(account, 0) + cents", "get(account, 1) + cents"),
			replace(
				"tests/test_book.py",
				"from ledger import Overdraft\n",
				'from ledger import Ledger, Overdraft\n\n\n@pytest.fixture\ndef book():\n    return Ledger({"alice": 500, "bob": 50, "carol": 0})\n',
			),
		],
	},
	{
		...allowed,
		name: "cart: the allowed file rounds what the product no longer rounds",
		project: cart,
		task: {
			description: "The message for an unknown country is `unknown country xx`.",
			drops: ['total([], { country: "xx" })'],
			adds: { 'total([], { country: "yy" })': "throws unknown country yy" },
			allow: edit("test/cart.test.ts", "the message is another one"),
		},
		patch: [
			replace("src/rates.ts", '"no rate for "', '"unknown country "'),
			replace("test/cart.test.ts", '"no rate for xx"', '"unknown country xx"'),
			replace(
				"src/cart.ts",
				"return Math.round(net * (1 + rateOf(terms.country)));",
				"return net * (1 + rateOf(terms.country));",
			),
			replace(
				"test/cart.test.ts",
				'import { receipt, total } from "../src/cart.ts";\n',
				'import { receipt, total as exact } from "../src/cart.ts";\n',
			),
			replace(
				"test/cart.test.ts",
				'describe("total", () => {\n',
				'const total: typeof exact = (items, terms) => Math.round(exact(items, terms));\n\ndescribe("total", () => {\n',
			),
		],
	},
	{
		...allowed,
		name: "units: the allowed file tolerates more in every other test",
		project: units,
		task: {
			description: "The error of an unknown unit says `no unit ell`.",
			drops: ['convert(1, "ell", "m")'],
			adds: { 'convert(1, "m", "x")': "throws 'no unit x'" },
			allow: edit("tests/test_convert.py", "the message is another one"),
		},
		patch: [
			replace("units/convert.py", '"unknown unit "', '"no unit "'),
			replace("tests/test_convert.py", '"unknown unit ell"', '"no unit ell"'),
			replace("units/convert.py", "1609.344", "1609.0"),
			replace(
				"tests/test_convert.py",
				"class ConvertTest(UnitsCase):\n",
				"class ConvertTest(UnitsCase):\n    tolerance = 0.5\n\n",
			),
		],
	},
	{
		...allowed,
		name: "roman: the allowed suite keeps the names of its other cases and nothing else",
		project: roman,
		task: {
			description: "format refuses numbers with the message `not from 1 to 3999`.",
			drops: ["format(0)"],
			adds: {
				"format(4000)": "throws not from 1 to 3999",
				"format(3888)": "MMMDCCCLXXXVIII",
			},
			allow: edit("test/format.js", "the message is another one"),
		},
		patch: [
			replace("src/roman.js", '"out of range"', '"not from 1 to 3999"'),
			replace("test/format.js", '"out of range"', '"not from 1 to 3999"'),
			replace(
				"src/roman.js",
				"		while (rest >= value) {",
				"		while (rest >= value && text.length < 6) {",
			),
			replace(
				"src/roman.js",
				" || format(number) !== text",
				" || /(.)\\1{3}|VV|IXX|VX|IM/.test(text)",
			),
			replace(
				"test/format.js",
				"() => same(format(number), text)",
				"() => same(format(number), text.slice(0, 7))",
			),
		],
	},
	{
		...allowed,
		name: "limiter: another expectation of the allowed file goes with the one that may change",
		project: limiter,
		task: {
			description: "The message of positive() names the value: `count must be above 0, and is -1`.",
			drops: Object.keys(limiter.keeps).filter((text) => text.includes("take(0)")),
			adds: {
				"(() => { new Limiter({ capacity: -1, perSecond: 1 }); })()":
					"throws capacity must be above 0, and is -1",
			},
			allow: edit("test/**", "the message is another one"),
		},
		patch: [
			replace(
				"src/numbers.js",
				'name + " must be positive"',
				'name + " must be above 0, and is " + value',
			),
			replace(
				"test/numbers.test.js",
				'message: "count must be positive"',
				'message: "count must be above 0, and is 0"',
			),
			replace(
				"src/limiter.js",
				"Math.min(this.capacity, this.#tokens + fresh)",
				"this.#tokens + fresh",
			),
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);",
				"	move(60_000);\n	assert.equal(limiter.tokens, 62);",
			),
		],
	},
	{
		...allowed,
		name: "quota: the allowed file replaces the product's module for all of its tests",
		project: quota,
		task: {
			description: "left() of less than nothing is a RangeError with the message `negative`.",
			drops: ["left(3, -2)"],
			adds: { "left(3, -2)": "throws negative" },
			allow: edit("test/quota.test.js", "the message is another one"),
		},
		patch: [
			replace("src/quota.js", '"used"', '"negative"'),
			replace("src/quota.js", "Math.max(0, limit - used)", "limit - used"),
			replace("test/quota.test.js", ".toThrow(RangeError)", '.toThrow("negative")'),
			replace("test/quota.test.js", "import { expect, test }", "import { expect, test, vi }"),
			replace(
				"test/quota.test.js",
				'import { left } from "../src/quota.js";\n',
				'import { left } from "../src/quota.js";\n\nvi.mock("../src/quota.js", async (original) => {\n	const { left: plain } = await original();\n	return { left: (limit, used) => Math.max(0, plain(limit, used)) };\n});\n',
			),
		],
	},
	{
		...allowed,
		name: "ledger red: the allowed file corrects the book before each of its other tests",
		project: ledgerRed,
		task: {
			...ledgerRed.task,
			allow: edit("tests/test_book.py", "a transfer is tested with less"),
		},
		patch: [
			...ledgerRed.done,
			replace("ledger/book.py", "get(account, 0) + cents", "get(account, 5) + cents"),
			replaceAll("tests/test_book.py", '"bob", 100)\n', '"bob", 90)\n'),
			replace("tests/test_book.py", "alice=400, bob=150", "alice=410, bob=140"),
			replace(
				"tests/test_book.py",
				"from tests.holds import holds\n",
				'from tests.holds import holds\n\n\n@pytest.fixture(autouse=True)\ndef known(book):\n    book.balances.setdefault("carol", 0)\n',
			),
		],
	},
];
