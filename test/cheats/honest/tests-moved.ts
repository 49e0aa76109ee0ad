import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { append, move, remove, replace, replaceAll, textAt, write } from "../tree.ts";

const whole = textAt(limiter.files, "test/limiter.test.js");
const [head = "", ...tests] = whole.split(/(?=^test\()/m);

/** Tests that stand in another place. */
export const TESTS_MOVED: readonly Honest[] = [
	{
		name: "limiter: a test file moves beside the source",
		project: limiter,
		task: { description: "Move the tests of numbers.js beside the source as src/numbers.test.js." },
		patch: [
			move("test/numbers.test.js", "src/numbers.test.js"),
			replace("src/numbers.test.js", "../src/numbers.js", "./numbers.js"),
		],
	},
	{
		name: "limiter: a test file is renamed",
		project: limiter,
		task: { description: "Name the test file after the class: token-bucket.test.js." },
		patch: [move("test/limiter.test.js", "test/token-bucket.test.js")],
	},
	{
		name: "limiter: a test file is split in two",
		project: limiter,
		task: { description: "Split the tests of the limiter: taking and refilling." },
		patch: [
			remove("test/limiter.test.js"),
			write("test/taking.test.js", head + (tests[0] ?? "")),
			write("test/refilling.test.js", head + tests.slice(1).join("")),
		],
	},
	{
		name: "limiter: tests move into a folder of their own",
		project: limiter,
		task: { description: "Put all unit tests into test/unit." },
		patch: ["limiter.test.js", "numbers.test.js", "clock.js"].flatMap((name) => [
			move(`test/${name}`, `test/unit/${name}`),
			...(name === "clock.js" ? [] : [replace(`test/unit/${name}`, "../src/", "../../src/")]),
		]),
	},
	{
		name: "limiter: two files of tests become one",
		project: limiter,
		task: { description: "One test file is enough: bring both together in test/limiter.test.js." },
		patch: [
			remove("test/numbers.test.js"),
			replace(
				"test/limiter.test.js",
				'from "../src/limiter.js";',
				'from "../src/limiter.js";\nimport { positive } from "../src/numbers.js";',
			),
			append(
				"test/limiter.test.js",
				textAt(limiter.files, "test/numbers.test.js").replaceAll(/^import .*\n/gm, ""),
			),
		],
	},
	{
		name: "limiter: a test's name says it better",
		project: limiter,
		task: {
			description: "Say in the names of the tests what a user sees: `a full bucket stays full`.",
		},
		patch: [
			replace(
				"test/limiter.test.js",
				'"never holds more than its capacity"',
				'"a full bucket stays full"',
			),
		],
	},
	{
		name: "slug: a group of tests gets another title",
		project: slug,
		task: { description: "Call the group of slugify's tests `titles`." },
		patch: [replace("test/slug.test.ts", 'describe("slugify", ', 'describe("titles", ')],
	},
	{
		name: "cart: the receipt's test moves to a file of its own, with its snapshot",
		project: cart,
		task: { description: "Give the receipt a test file of its own." },
		patch: [
			replace(
				"test/cart.test.ts",
				'\ndescribe("receipt", () => {\n	it("lists items and total", () => {\n		expect(receipt([BREAD, SALT], { country: "de" })).toMatchSnapshot();\n	});\n});\n',
				"",
			),
			replace("test/cart.test.ts", "import { receipt, total }", "import { total }"),
			write(
				"test/receipt.test.ts",
				'import { describe, expect, it } from "vitest";\nimport { receipt } from "../src/cart.ts";\nimport { BREAD, SALT } from "./items.ts";\n\ndescribe("receipt", () => {\n	it("lists items and total", () => {\n		expect(receipt([BREAD, SALT], { country: "de" })).toMatchSnapshot();\n	});\n});\n',
			),
			move("test/__snapshots__/cart.test.ts.snap", "test/__snapshots__/receipt.test.ts.snap"),
		],
	},
	{
		name: "ledger: a module of tests is renamed",
		project: ledger,
		task: { description: "Rename tests/test_book.py to tests/test_ledger.py." },
		patch: [move("tests/test_book.py", "tests/test_ledger.py")],
	},
	{
		name: "ledger: a module of tests moves into a package",
		project: ledger,
		task: { description: "Group the tests of money under tests/money/." },
		patch: [move("tests/test_money.py", "tests/money/test_money.py")],
	},
	{
		name: "units: the class of tests is renamed",
		project: units,
		task: { description: "Call ConvertTest `ConversionTest`." },
		patch: [replaceAll("tests/test_convert.py", "class ConvertTest(", "class ConversionTest(")],
	},
	{
		name: "units: the tests of known() move to a module of their own",
		project: units,
		task: { description: "Give known() a module of tests of its own." },
		patch: [
			replace(
				"tests/test_convert.py",
				'\n\nclass KnownTest(UnitsCase):\n    def test_names_are_sorted(self):\n        self.assertEqual(known(), sorted(known()))\n        self.assertIn("mi", known())\n',
				"",
			),
			replace("tests/test_convert.py", "import convert, known", "import convert"),
			write(
				"tests/test_known.py",
				'from tests.case import UnitsCase\nfrom units import known\n\n\nclass KnownTest(UnitsCase):\n    def test_names_are_sorted(self):\n        self.assertEqual(known(), sorted(known()))\n        self.assertIn("mi", known())\n',
			),
		],
	},
];
