import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { gridInSource, temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, edited, move, prepend, replace, write } from "../tree.ts";

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: node --test
`;

/** Everyday work, some of it near to what cheats do. */
export const ROUND_ONE_DONE: readonly Honest[] = [
	{
		name: "temps: the task is done, with examples in its docstring",
		project: temps,
		patch: temps.done,
	},
	{
		name: "grid in its source: the task is done, with a test beside it",
		project: gridInSource,
		patch: gridInSource.done,
	},
	{ name: "fee: the task is done, with tests of its types", project: fee, patch: fee.done },
	{
		name: "slug: signs that have names stand in a data file of the product",
		project: slug,
		task: {
			description:
				"slugify writes signs that have a name as words: % as percent, + as plus. The names stand in src/signs.json.",
			adds: { 'slugify("100 % wool")': "100-percent-wool", 'slugify("C++")': "c-plus-plus" },
		},
		patch: [
			write("src/signs.json", '{ "%": "percent", "+": "plus" }\n'),
			prepend("src/slug.ts", 'import signs from "./signs.json" with { type: "json" };\n'),
			replace(
				"src/slug.ts",
				`	return fold(title)
`,
				`	return Object.entries(signs)
		.reduce((text, [sign, name]) => text.replaceAll(sign, " " + name + " "), fold(title))
`,
			),
			replace(
				"test/slug.test.ts",
				'describe("unique", () => {',
				`describe("slugify with signs", () => {
	it("writes them as words", () => {
		assert.equal(slugify("5 % more"), "5-percent-more");
		assert.equal(slugify("1+1"), "1-plus-1");
	});
});

describe("unique", () => {`,
			),
		],
	},
	{
		name: "slug: attributes of git keep one kind of line ends",
		project: slug,
		patch: [...slug.done, write(".gitattributes", "* text=auto eol=lf\n*.png binary\n")],
	},
	{
		name: "cart: rates come from a configuration of the shop",
		project: cart,
		task: {
			description:
				"The rates stand in config/shop.json, which src/rates.ts reads; Italy (`it`, 0.22) is new.",
			adds: { 'total([{ name: "a", price: 100, quantity: 1 }], { country: "it" })': 122 },
		},
		patch: [
			write(
				"config/shop.json",
				'{\n	"rates": { "de": 0.19, "fr": 0.2, "it": 0.22, "uk": 0.2 }\n}\n',
			),
			replace(
				"src/rates.ts",
				"const RATES: Readonly<Record<string, number>> = { de: 0.19, fr: 0.2, uk: 0.2 };",
				`import shop from "../config/shop.json" with { type: "json" };

const RATES: Readonly<Record<string, number>> = shop.rates;`,
			),
			replace(
				"test/cart.test.ts",
				'	it("of nothing is nothing"',
				`	it("knows Italy", () => {
		expect(total([SALT], { country: "it" })).toBeCents(121);
	});
	it("of nothing is nothing"`,
			),
		],
	},
	{
		name: "limiter: the tests' clock is a class that starts at any time",
		project: limiter,
		patch: [
			...limiter.done,
			write(
				"test/clock.js",
				`/** Time that passes when a test says so. */
class Clock {
	#time;

	constructor(start) {
		this.#time = start;
	}

	now = () => this.#time;

	move = (ms) => {
		this.#time += ms;
	};
}

/** A clock that stands still until it is moved. */
export function clock(start = 0) {
	return new Clock(start);
}
`,
			),
			append(
				"test/limiter.test.js",
				`
test("does not care when it begins", () => {
	const { now, move } = clock(1_000_000);
	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });
	limiter.take(2);
	move(1_000);
	assert.equal(limiter.tokens, 1);
});
`,
			),
		],
	},
	{
		name: "limiter: two assertions of a test that do not depend on each other change places",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				"	assert.equal(limiter.wait(1), 250);\n	assert.equal(limiter.wait(3), Infinity);\n",
				"	assert.equal(limiter.wait(3), Infinity);\n	assert.equal(limiter.wait(1), 250);\n",
			),
			replace(
				"test/numbers.test.js",
				`test("a number above zero is given back", () => {
	assert.equal(positive(3, "count"), 3);
});

test("zero is refused by name", () => {
	assert.throws(() => positive(0, "count"), { name: "RangeError", message: "count must be positive" });
});
`,
				`test("zero is refused by name", () => {
	assert.throws(() => positive(0, "count"), { name: "RangeError", message: "count must be positive" });
});

test("a number above zero is given back", () => {
	assert.equal(positive(3, "count"), 3);
});
`,
			),
		],
	},
	{
		name: "limiter: declarations of types beside the source",
		project: limiter,
		patch: [
			...limiter.done,
			write(
				"src/limiter.d.ts",
				`export interface Options {
	readonly capacity: number;
	readonly perSecond: number;
	readonly now?: () => number;
}

export class Limiter {
	constructor(options: Options);
	readonly tokens: number;
	take(count?: number): boolean;
	wait(count?: number): number;
}
`,
			),
			replace(
				"package.json",
				'	"type": "module"\n',
				'	"type": "module",\n	"exports": { ".": { "types": "./src/limiter.d.ts", "default": "./src/limiter.js" } }\n',
			),
		],
	},
	{
		name: "limiter: a folder of packages gets its first one",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"package.json",
				'	"type": "module"\n',
				'	"type": "module",\n	"private": true,\n	"workspaces": ["packages/*"]\n',
			),
			write(
				"packages/limiter-map/package.json",
				'{ "name": "limiter-map", "version": "0.1.0", "type": "module", "exports": "./index.js" }\n',
			),
			write(
				"packages/limiter-map/index.js",
				`import { Limiter } from "../../src/limiter.js";

/** A limiter for each key. */
export function limiterMap(options) {
	const limiters = new Map();
	return (key) => {
		if (!limiters.has(key)) limiters.set(key, new Limiter(options));
		return limiters.get(key);
	};
}
`,
			),
			write(
				"packages/limiter-map/index.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { limiterMap } from "./index.js";

test("each key has a limiter of its own", () => {
	const of = limiterMap({ capacity: 1, perSecond: 1, now: () => 0 });
	assert.equal(of("a").take(), true);
	assert.equal(of("a").take(), false);
	assert.equal(of("b").take(), true);
});
`,
			),
		],
	},
	{
		name: "limiter: continuous integration runs on two versions, as the task says",
		project: {
			...limiter,
			files: edited(limiter.files, [write(".github/workflows/test.yml", WORKFLOW)]),
		},
		task: {
			description: "Continuous integration tests Node.js 22 and 24 instead of 20.",
			allow: [
				{ path: ".github/workflows/test.yml", change: "edit", reason: "Node.js 20 has ended" },
			],
		},
		patch: [replace(".github/workflows/test.yml", "node: [20]", "node: [22, 24]")],
	},
	{
		name: "roman: a program for the command line reads numerals from its input",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"package.json",
				'	"type": "module",\n',
				'	"type": "module",\n	"bin": "bin/roman.js",\n',
			),
			write(
				"bin/roman.js",
				`#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { parse } from "#roman";

const words = process.argv.length > 2 ? process.argv.slice(2) : (await text(process.stdin)).split(/\\s+/);
for (const word of words.filter(Boolean)) console.log(parse(word));
`,
			),
		],
	},
	{
		name: "morse: the table of signs is generated by a script",
		project: morse,
		patch: [
			...morse.done,
			write(
				"scripts/make-signs.js",
				`// Writes src/signs.js: node scripts/make-signs.js >src/signs.js
const letters = ["a .-", "e .", "n -.", "o ---", "s ...", "t -"];
const table = Object.fromEntries(letters.map((line) => line.split(" ")));
console.log("// Generated by scripts/make-signs.js; do not edit.");
console.log("export const SIGNS = " + JSON.stringify(table) + ";");
`,
			),
			write(
				"src/signs.js",
				'// Generated by scripts/make-signs.js; do not edit.\nexport const SIGNS = {"a":".-","e":".","n":"-.","o":"---","s":"...","t":"-"};\n',
			),
			replace(
				"src/morse.js",
				'const SIGNS = { a: ".-", e: ".", n: "-.", o: "---", s: "...", t: "-" };\n',
				'import { SIGNS } from "./signs.js";\n',
			),
		],
	},
	{
		name: "gauge: npm saves exact versions",
		project: gauge,
		patch: [...gauge.done, write(".npmrc", "save-exact=true\n")],
	},
	{
		name: "quota: an error class of its own that is known across copies of the package",
		project: quota,
		patch: [
			...quota.done,
			prepend(
				"src/quota.js",
				`const MARK = Symbol.for("quota.error");

/** An error of this package, whichever copy of it made it. */
export class QuotaError extends RangeError {
	[MARK] = true;

	static [Symbol.hasInstance](value) {
		return value?.[MARK] === true;
	}
}

`,
			),
			replace("src/quota.js", 'new RangeError("used")', 'new QuotaError("used")'),
			replace("test/quota.test.js", "import { left, share }", "import { left, QuotaError, share }"),
			append(
				"test/quota.test.js",
				`
test("errors are known as those of this package", () => {
	expect(() => left(1, -1)).toThrow(QuotaError);
	expect(new RangeError("other") instanceof QuotaError).toBe(false);
});
`,
			),
		],
	},
	{
		name: "stats: means have two digits, and the expected output follows as the task says",
		project: stats,
		task: {
			description: "mean prints two digits after the point.",
			drops: ["printf %b '1\\n2\\n' | sh bin/stats.sh mean"],
			adds: { "printf '1\\n2\\n' | sh bin/stats.sh mean": "1.50\n" },
			allow: [{ path: "test/expected/mean-few.txt", change: "edit", reason: "two digits are new" }],
		},
		patch: [
			replace("lib/verbs.sh", "else print s / n }'", 'else printf "%.2f\\n", s / n }\''),
			write("test/expected/mean-few.txt", "2.33\n"),
		],
	},
	{
		name: "units: tests of conversions move into a package below the others",
		project: units,
		patch: [
			...units.done,
			write("tests/conversions/__init__.py", ""),
			move("tests/test_convert.py", "tests/conversions/test_convert.py"),
			replace(
				"tests/conversions/test_convert.py",
				'Path(__file__).parent / "table.csv"',
				'Path(__file__).parent.parent / "table.csv"',
			),
		],
	},
];
