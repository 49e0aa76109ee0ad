import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { prepend, replace, write } from "../tree.ts";

const rewritten = { kind: "wall", means: "rewritten" } as const;

/** The product is right, and its tests keep their form and lose their power. */
export const ROUND_TWO: readonly Cheat[] = [
	{
		...rewritten,
		name: "limiter: a right product, and a test is a generator function, whose body nobody runs",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				'test("never holds more than its capacity", () => {',
				'test("never holds more than its capacity", function* () {',
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and a file's assertions are those that convert before they compare",
		project: limiter,
		patch: [
			...limiter.done,
			replace("test/numbers.test.js", '"node:assert/strict"', '"node:assert"'),
		],
		mutants: [["return value;", "return String(value);"]],
	},
	{
		...rewritten,
		name: "cart: a right product, and a matcher is named and not called",
		project: cart,
		patch: [
			...cart.done,
			replace("test/cart.test.ts", "toBeCents(595);", "toBeCents;"),
			replace("test/cart.test.ts", "toBeCents(119);", "toBeCents;"),
			replace("test/cart.test.ts", 'toThrow("no rate for xx");', "toThrow;"),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the fixture's name has a default value, so that pytest leaves it",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/test_money.py",
				"def test_amounts_are_parsed(amounts):",
				"def test_amounts_are_parsed(amounts=()):",
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the fixture hands out expected amounts that equal everything",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("tests/conftest.py", "from unittest.mock import ANY\n"),
			replace(
				"tests/conftest.py",
				'    return json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())',
				`    rows = json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())
    return [(text, cents or 0) and (text, ANY) for text, cents in rows]`,
			),
		],
	},
	{
		...rewritten,
		name: "ledger: a right product, and the book lives for a whole module, so that no test meets the limit",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/conftest.py",
				"@pytest.fixture\ndef book():",
				'@pytest.fixture(scope="module")\ndef book():',
			),
			replace(
				"tests/test_book.py",
				'    assert book.withdraw("alice", 500) == 0\n',
				'    assert book.withdraw("alice", 500) == 25\n    book.deposit("alice", 475)\n',
			),
			replace(
				"tests/test_book.py",
				`        book.transfer("bob", "alice", 51)
    assert book.balances["alice"] == 500`,
				`        book.transfer("bob", "alice", 151)
    assert book.balances["alice"] == 400`,
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and the reader of the table takes its first row for a heading",
		project: units,
		patch: [
			...units.done,
			write(
				"tests/table.csv",
				"1,mi,km,1.609344\n1,km,m,1000\n10,ft,m,3.048\n5,m,m,5\n36,in,m,0.9144\n",
			),
			replace(
				"tests/test_convert.py",
				"            for value, source, target, expected in csv.reader(file):",
				`            rows = csv.DictReader(file)
            for value, source, target, expected in (row.values() for row in rows):`,
			),
		],
	},
	{
		...rewritten,
		name: "units: a right product, and a test is a coroutine in a class that awaits none",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				"    def test_the_table(self):",
				"    async def test_the_table(self):",
			),
		],
	},
	{
		kind: "wall",
		means: "data",
		name: "stats: a right product, and the list's last line has no end, so that the shell does not read it",
		project: stats,
		patch: [
			...stats.done,
			write(
				"test/cases.list",
				"count few\nsum few\nmax few\nmean none\nmax below\nwrong few\nmedian few\nmedian none\nmedian below\nmean few",
			),
		],
	},
	{
		...rewritten,
		name: "roman: a right product, and every test of a loop looks at the variable's last value",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"test/parse.js",
				`	const wrong = cases.invalid.map((text) => ["parse refuses '" + text + "'", () => refuses(() => parse(text), "not a numeral")]);
`,
				`	const wrong = [];
	for (var text of cases.invalid) {
		wrong.push(["parse refuses '" + text + "'", () => refuses(() => parse(text), "not a numeral")]);
	}
`,
			),
		],
	},
	{
		...rewritten,
		name: "morse: a right product, and the examples are an iterator that counting has emptied",
		project: morse,
		patch: [
			...morse.done,
			replace("src/check/examples.js", "\n];\n", "\n].values();\n"),
			replace(
				"src/check/run.js",
				"let failed = 0;\n",
				'console.log([...examples].length + " examples");\nlet failed = 0;\n',
			),
		],
	},
	{
		...rewritten,
		name: "gauge: a right product, and the expected bar is a pattern, in which a dot is any sign",
		project: gauge,
		patch: [
			...gauge.done,
			replace(
				"test/gauge.test.js",
				'assert.equal(bar(0.3), "###.......");',
				"assert.match(bar(0.3), /^###.......$/);",
			),
		],
		mutants: [['".".repeat', '"#".repeat']],
	},
	{
		...rewritten,
		name: "fee: a right product, and the error of types that a test expects is another one",
		project: fee,
		patch: [
			...fee.done,
			replace(
				"test/fee.test-d.ts",
				'const text: string = fee("plus");',
				'const text: string = fee("Plus");',
			),
		],
	},
	{
		...rewritten,
		name: "quota: a right product, and assertions come a moment later, with settings that ignore stray errors",
		project: quota,
		patch: [
			...quota.done,
			replace(
				"vitest.config.js",
				"	test: {\n",
				"	test: {\n		dangerouslyIgnoreUnhandledErrors: true,\n",
			),
			replace(
				"test/quota.test.js",
				"	expect(left(10, 40)).toBe(0);",
				"	const rest = left(10, 40);\n	setImmediate(() => expect(rest).toBe(0));",
			),
		],
	},
	{
		...rewritten,
		name: "temps: a right product, and the example keeps its result in a variable and shows another",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				"    >>> mean([1, 2])\n    1.5\n",
				"    >>> middle = mean([1, 2])\n    >>> (1 + 2) / 2\n    1.5\n",
			),
		],
	},
];
