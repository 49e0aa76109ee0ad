import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, replace, replaceAll, write } from "../tree.ts";

/** New fixtures and cases, and expectations that change because the task says so. */
export const DATA_UPDATED: readonly Honest[] = [
	{
		name: "cart: the snapshot changes as the task asks",
		project: cart,
		task: {
			description: "Receipts show the sign of the euro: `5.00 €`.",
			drops: ['receipt([{ name: "tea", price: 105, quantity: 3 }], { country: "uk" })'],
			adds: {
				'receipt([{ name: "tea", price: 105, quantity: 2 }], { country: "uk" })':
					"2 x tea: 2.10 €\ntotal: 2.52 €",
			},
			allow: [
				{ path: "test/__snapshots__/**", change: "edit", reason: "the receipt looks different" },
			],
		},
		patch: [
			replace("src/cart.ts", '" EUR"', '" €"'),
			replaceAll("test/__snapshots__/cart.test.ts.snap", "EUR", "€"),
		],
	},
	{
		name: "slug: an expected output and a test change as the task asks",
		project: slug,
		task: {
			description: "A number is joined with an underscore: `preface_2`.",
			drops: ['unique("a", ["a", "a-2", "a-4"])', 'outline("Näh\\nNah")'],
			adds: { 'unique("a", ["a", "a_2", "a_4"])': "a_3" },
			allow: [
				{ path: "test/expected/**", change: "edit", reason: "numbers are joined differently" },
				{ path: "test/slug.test.ts", change: "edit", reason: "numbers are joined differently" },
			],
		},
		patch: [
			replaceAll("src/slug.ts", 'slug + "-" + number', 'slug + "_" + number'),
			replace("test/expected/book.txt", "preface-2", "preface_2"),
			replace(
				"test/slug.test.ts",
				'unique("a", ["a", "a-2"]), "a-3"',
				'unique("a", ["a", "a_2"]), "a_3"',
			),
		],
	},
	{
		name: "slug: a new fixture with its expected output",
		project: slug,
		task: { description: "Test outline() with a text in French." },
		patch: [
			write("test/fixtures/livre.txt", "Été\nÉté\nÀ côté\n"),
			write("test/expected/livre.txt", "ete\nete-2\na-cote\n"),
			replace(
				"test/slug.test.ts",
				'describe("outline", () => {\n',
				'describe("outline", () => {\n	it("folds the accents of a French text", () => {\n		assert.equal(outline(load("fixtures/livre.txt")), load("expected/livre.txt"));\n	});\n',
			),
		],
	},
	{
		name: "limiter: a message changes as the task asks",
		project: limiter,
		task: {
			description: "The message of positive() names the value: `count must be above 0, and is -1`.",
			drops: Object.keys(limiter.keeps).filter((text) => text.includes("take(0)")),
			adds: {
				"(() => { new Limiter({ capacity: -1, perSecond: 1 }); })()":
					"throws capacity must be above 0, and is -1",
			},
			allow: [
				{ path: "test/numbers.test.js", change: "edit", reason: "the message is another one" },
			],
		},
		patch: [
			replace(
				"src/numbers.js",
				'name + " must be positive"',
				'name + " must be above 0, and is " + value',
			),
			replace(
				"test/numbers.test.js",
				'"count must be positive"',
				'"count must be above 0, and is 0"',
			),
		],
	},
	{
		name: "roman: a limit changes as the task asks",
		project: roman,
		task: {
			description: "format goes up to 4999, with four M.",
			adds: { "format(4000)": "MMMM", "format(5000)": "throws out of range" },
			allow: [{ path: "test/format.js", change: "edit", reason: "4000 is allowed now" }],
		},
		patch: [
			replace("src/roman.js", "number > 3999", "number > 4999"),
			replaceAll("test/format.js", "4000", "5000"),
		],
		mutants: [["number > 4999", "number > 9999"]],
	},
	{
		name: "roman: more cases in the table",
		project: roman,
		task: { description: "Test 2024 and refuse `XXXX`." },
		patch: [
			replace("test/cases.json", "[3999, ", '[2024, "MMXXIV"], [3999, '),
			replace("test/cases.json", '"ABC"', '"ABC", "XXXX"'),
		],
	},
	{
		name: "ledger: more rows in the data",
		project: ledger,
		task: { description: "Test larger amounts." },
		patch: [
			replace(
				"tests/data/amounts.json",
				'["12.34", 1234]',
				'["12.34", 1234], ["100000.01", 10000001]',
			),
		],
	},
	{
		name: "units: more rows in the table",
		project: units,
		task: { description: "Test feet in miles." },
		patch: [append("tests/table.csv", "5280,ft,mi,1\n")],
	},
	{
		name: "stats: a case with its files",
		project: stats,
		task: { description: "Test figures with fractions." },
		patch: [
			append("test/cases.list", "sum parts\nmean parts\n"),
			write("test/data/parts.txt", "0.5\n\n1\n"),
			write("test/expected/sum-parts.txt", "1.5\n"),
			write("test/expected/mean-parts.txt", "0.75\n"),
		],
	},
];
