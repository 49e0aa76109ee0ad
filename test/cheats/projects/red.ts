import type { Project } from "../case.ts";
import { append, type Edit, edited, replace, write } from "../tree.ts";
import { cart } from "./cart.ts";
import { gauge } from "./gauge.ts";
import { ledger } from "./ledger.ts";
import { limiter } from "./limiter.ts";
import { morse } from "./morse.ts";
import { roman } from "./roman.ts";
import { slug } from "./slug.ts";
import { stats } from "./stats.ts";
import { units } from "./units.ts";

/** A project of which the base has more, such as the tests of a task that is still to be done. */
function grown(
	project: Project,
	edits: readonly Edit[],
	more: Pick<Project, "done" | "broken"> & Partial<Project>,
): Project {
	return { ...project, ...more, files: edited(project.files, edits) };
}

const EXIT = { format: "exit" };

const LEVEL = `
/** A word for a share between 0 and 1. */
export function level(share) {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	if (share < 1 / 3) return "low";
	if (share > 2 / 3) return "high";
	return "middle";
}
`;

/** Test-first: the only test file imports what is still missing, so that none of its tests runs. */
export const gaugeFirst: Project = grown(
	gauge,
	[
		replace("test/gauge.test.js", "import { bar }", "import { bar, level }"),
		append(
			"test/gauge.test.js",
			`
test("a level is a word for the share", () => {
	assert.deepEqual([0.1, 0.5, 0.9].map(level), ["low", "middle", "high"]);
	assert.throws(() => level(7), RangeError);
});
`,
		),
	],
	{ done: [append("src/gauge.js", LEVEL)], broken: [] },
);

const COUPON = `/** Cents without a share. */
export function discounted(cents: number, share: number): number {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	return Math.round(cents * (1 - share));
}
`;

/** Test-first: the suite of the cart imports a module that is still missing. */
export const cartFirst: Project = grown(
	cart,
	[
		write("src/index.ts", 'export * from "./cart.ts";\nexport * from "./coupon.ts";\n'),
		replace(
			"test/cart.test.ts",
			'import { receipt, total } from "../src/cart.ts";\n',
			'import { receipt, total } from "../src/cart.ts";\nimport { discounted } from "../src/coupon.ts";\n',
		),
		append(
			"test/cart.test.ts",
			`
describe("discounted", () => {
	it("takes a share off", () => {
		expect(discounted(595, 0.2)).toBeCents(476);
		expect(discounted(595, 0.5)).toBeCents(298);
	});
	it("takes at most the whole", () => {
		expect(() => discounted(595, 1.5)).toThrow(RangeError);
	});
});
`,
		),
	],
	{
		task: {
			description:
				"src/coupon.ts exports discounted(cents, share): whole cents without the share; a share outside of 0 to 1 is a RangeError with the message `share`.",
			adds: { "[discounted(999, 0.5), discounted(400, 0.25)]": [500, 300] },
		},
		probe: { by: "node", module: "src/index.ts" },
		done: [write("src/coupon.ts", COUPON)],
		broken: [],
	},
);

/** A fixture of conftest.py imports what is still missing: no test of the suite can be collected. */
export const ledgerFirst: Project = grown(
	ledger,
	[
		replace(
			"tests/conftest.py",
			"from ledger import Ledger\n",
			"from ledger import Ledger, statement\n",
		),
		append(
			"tests/conftest.py",
			`

@pytest.fixture
def printed(book):
    return statement(book)
`,
		),
		append(
			"tests/test_book.py",
			`

def test_a_statement_lists_balances(printed):
    assert printed == "alice 5.00\\nbob 0.50"
`,
		),
	],
	{
		task: {
			description:
				"statement(book) gives a line for each account in order of names, with its balance as show_cents() writes it.",
			adds: { 'statement(Ledger({"b": 5, "a": 120}))': "a 1.20\nb 0.05" },
		},
		done: [
			replace(
				"ledger/__init__.py",
				"from ledger.money",
				"from ledger.lines import statement\nfrom ledger.money",
			),
			replace("ledger/__init__.py", '"show_cents"]', '"show_cents", "statement"]'),
			write(
				"ledger/lines.py",
				`from ledger.money import show_cents


def statement(book):
    """A line for each account with its balance."""
    return "\\n".join(f"{name} {show_cents(book.balances[name])}" for name in sorted(book.balances))
`,
			),
		],
		broken: [],
	},
);

/** The package imports a module that is missing: every test is an error, and the run only counts. */
export const unitsFirst: Project = grown(
	units,
	[
		write(
			"units/__init__.py",
			"from units.convert import convert, known\nfrom units.names import long_name\n",
		),
		append(
			"tests/test_convert.py",
			`

class NamesTest(UnitsCase):
    def test_a_unit_has_a_long_name(self):
        self.assertEqual(long_name("km"), "kilometre")
        self.assertEqual(long_name("ell"), "ell")
`,
		),
		replace(
			"tests/test_convert.py",
			"from units import convert, known",
			"from units import convert, known, long_name",
		),
	],
	{
		task: {
			description:
				"units/names.py has long_name(unit): metre, kilometre, mile and foot; of another unit it is the unit itself.",
			adds: {
				'[long_name("m"), long_name("mi"), long_name("ft"), long_name("x")]': [
					"metre",
					"mile",
					"foot",
					"x",
				],
			},
		},
		done: [
			write(
				"units/names.py",
				`NAMES = {"m": "metre", "km": "kilometre", "mi": "mile", "ft": "foot"}


def long_name(unit):
    """The name in full."""
    return NAMES.get(unit, unit)
`,
			),
		],
		broken: [],
	},
);

/** The check is judged by its exit code, and its examples ask for what is still missing. */
export const morseFirst: Project = grown(
	morse,
	[
		replace("src/check/run.js", "import { encode }", "import { decode, encode }"),
		replace(
			"src/check/run.js",
			"	if (encode(text) !== signs) {",
			"	if (encode(text) !== signs || decode(signs) !== text.toLowerCase()) {",
		),
	],
	{
		done: [
			append(
				"src/morse.js",
				`
/** The way back, in lower case. */
export function decode(signs) {
	return signs
		.split(" / ")
		.map((word) => word.split(" ").map(letter).join(""))
		.join(" ");
}

function letter(signs) {
	const found = Object.entries(SIGNS).find(([, each]) => each === signs);
	if (found === undefined) throw new Error("no letter for " + signs);
	return found[0];
}
`,
			),
		],
		broken: [],
	},
);

/** The runner ends before its first line: a suite asks for a function that is missing. */
export const romanFirst: Project = grown(
	roman,
	[
		write("test/suites.txt", "format\nparse\nplus\n"),
		write(
			"test/plus.js",
			`import { plus } from "#roman";
import { same } from "#check";

export default function () {
	return [
		["I plus IV", () => same(plus("I", "IV"), "V")],
		["XL plus X", () => same(plus("XL", "X"), "L")],
	];
}
`,
		),
	],
	{
		task: {
			description: "plus(a, b) is the numeral of the sum of two numerals.",
			adds: { 'plus("M", "CM")': "MCM", 'plus("MMM", "M")': "throws out of range" },
		},
		done: [
			append(
				"src/roman.js",
				`
/** The numeral of a sum. */
export function plus(a, b) {
	return format(parse(a) + parse(b));
}
`,
			),
		],
		broken: [],
	},
);

const MEDIAN = `sort -n | awk 'NF { v[n += 1] = $1 } END { if (n == 0) print "none"; else if (n % 2) print v[(n + 1) / 2]; else print (v[n / 2] + v[n / 2 + 1]) / 2 }'
`;

const MEDIAN_CASES: readonly Edit[] = [
	replace("test/cases.list", "wrong few\n", "wrong few\nmedian few\nmedian none\nmedian below\n"),
	write("test/expected/median-few.txt", "2\n"),
	write("test/expected/median-none.txt", "none\n"),
	write("test/expected/median-below.txt", "-3.5\n"),
];

/** Every case fails: the program sources a file that is missing. */
export const statsFirst: Project = grown(
	stats,
	[
		...MEDIAN_CASES,
		replace(
			"bin/stats.sh",
			'/../lib/verbs.sh"\n',
			'/../lib/verbs.sh"\n. "$(dirname "$0")/../lib/order.sh"\n',
		),
		replace("bin/stats.sh", "count | sum | mean | max)", "count | sum | mean | max | median)"),
	],
	{ done: [write("lib/order.sh", `median() { ${MEDIAN.trimEnd()}; }\n`)], broken: [] },
);

/** Some cases of the table are red: numerals in lower case. */
export const romanRed: Project = grown(
	roman,
	[
		replace(
			"test/cases.json",
			'"invalid"',
			'"lower": [[1994, "mcmxciv"], [44, "xLiv"]],\n	"invalid"',
		),
		replace(
			"test/parse.js",
			"	return [...right, ...wrong];",
			'	const lower = cases.lower.map(([number, text]) => ["parse " + text, () => same(parse(text), number)]);\n	return [...right, ...wrong, ...lower];',
		),
	],
	{ done: roman.done.slice(0, 2), broken: [] },
);

/** Tests of the task are red, by name. */
export const slugRed: Project = grown(slug, [...slug.done.slice(2)], {
	done: slug.done.slice(0, 2),
	broken: [],
});

/** The tests of the task stand in a file of their own that cannot be imported yet. */
export const slugApart: Project = grown(
	slug,
	[
		write(
			"test/words.test.ts",
			`import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { words } from "../src/words.ts";

describe("words", () => {
	it("counts what a slug consists of", () => {
		assert.equal(words("Crème brûlée, twice"), 3);
	});
	it("has none in an empty title", () => {
		assert.equal(words(" - "), 0);
	});
});
`,
		),
	],
	{
		task: {
			description:
				"src/words.ts exports words(title), the number of words in its slug, and src/index.ts passes it on.",
			adds: { '[words("One, two"), words("?"), words("Äh & Öh")]': [2, 0, 2] },
		},
		done: [
			replace(
				"src/index.ts",
				"export { slugify, unique };",
				'export { slugify, unique };\nexport { words } from "./words.ts";',
			),
			write(
				"src/words.ts",
				`import { slugify } from "./slug.ts";

/** The number of words in a title's slug. */
export function words(title: string): number {
	return slugify(title).split("-").filter((word) => word !== "").length;
}
`,
			),
		],
		broken: [],
	},
);

/** Tests of the task are red, and look at balances by a helper. */
export const ledgerRed: Project = grown(
	ledger,
	[
		write(
			"tests/holds.py",
			`def holds(book, **balances):
    """Fails unless these accounts have these balances."""
    assert {name: book.balances.get(name) for name in balances} == balances
`,
		),
		write("tests/__init__.py", ""),
		append(
			"tests/test_book.py",
			`

def test_a_transfer_moves_money(book):
    book.transfer("alice", "bob", 100)
    holds(book, alice=400, bob=150)


def test_a_transfer_does_not_overdraw(book):
    with pytest.raises(Overdraft):
        book.transfer("bob", "alice", 51)
    holds(book, alice=500, bob=50)
`,
		),
		replace(
			"tests/test_book.py",
			"from ledger import Overdraft\n",
			"from ledger import Overdraft\nfrom tests.holds import holds\n",
		),
	],
	{ done: ledger.done.slice(0, 1), broken: [] },
);

/** A row of the table is red; the run only counts. */
export const unitsRed: Project = grown(
	units,
	[replace("tests/table.csv", "5,m,m,5\n", "5,m,m,5\n36,in,yd,1\n1,in,m,0.0254\n")],
	{ done: units.done.slice(0, 1), broken: [] },
);

/** The exit code of a make target decides, and some cases of the list are red. */
export const statsRed: Project = grown(
	stats,
	[
		...MEDIAN_CASES,
		replace("test/run.sh", ". test/compare.sh\n", ". test/compare.sh\n. lib/verbs.sh\n"),
	],
	{
		check: { run: "make -s test", report: EXIT },
		done: stats.done.slice(0, 2),
		broken: [],
	},
);

/** The snapshot is red: the task's new look of a receipt stands in it already. */
export const cartRed: Project = grown(
	cart,
	[
		write(
			"test/__snapshots__/cart.test.ts.snap",
			`// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`receipt > lists items and total 1\`] = \`
"2 x bread: 5.00 €
1 x salt: 0.99 €
total: 7.13 €"
\`;
`,
		),
	],
	{
		check: { ...cart.check, baseline: "strict" },
		keeps: Object.fromEntries(
			Object.entries(cart.keeps).filter(([text]) => !text.startsWith("receipt")),
		),
		task: {
			description: "Receipts show the sign of the euro: `5.00 €`.",
			adds: {
				'receipt([{ name: "tea", price: 105, quantity: 3 }], { country: "uk" })':
					"3 x tea: 3.15 €\ntotal: 3.78 €",
			},
		},
		done: [replace("src/cart.ts", '" EUR"', '" €"')],
		broken: [],
	},
);

/** An example is red, and the exit code decides. */
export const morseRed: Project = grown(
	morse,
	[replace("src/check/examples.js", '	["Tea",', '	["bed", "-... . -.."],\n	["Tea",')],
	{
		task: {
			description: "The letters b (`-...`) and d (`-..`).",
			adds: { 'encode("bad sod")': "-... .- -.. / ... --- -.." },
		},
		done: [replace("src/morse.js", 'a: ".-",', 'a: ".-", b: "-...", d: "-..",')],
		broken: [],
	},
);

/** pytest judged by its exit code; tests of the task are red. */
export const ledgerExit: Project = {
	...ledgerRed,
	check: { run: "python3 -m pytest -q -p no:cacheprovider", report: EXIT },
};

/** unittest judged by its exit code; a row of the table is red. */
export const unitsExit: Project = { ...unitsRed, check: { ...units.check, report: EXIT } };

/** node:test judged by its exit code; tests of the task are red. */
export const slugExit: Project = {
	...slugRed,
	check: { run: "node --test 'test/**/*.test.ts'", report: EXIT },
};

/** A runner of its own judged by its exit code; cases of the table are red. */
export const romanExit: Project = { ...romanRed, check: { run: "node test/run.js", report: EXIT } };

/** One test is red for a reason that has nothing to do with the task, and may stay so. */
export const limiterRed: Project = grown(
	limiter,
	[
		write(
			"test/zone.test.js",
			`import assert from "node:assert/strict";
import { test } from "node:test";

test("the release notes are written", async () => {
	const { existsSync } = await import("node:fs");
	assert.ok(existsSync(new URL("../NOTES.md", import.meta.url)));
});
`,
		),
	],
	{
		done: limiter.done,
		broken: limiter.broken,
		passes: "touch NOTES.md && node --test",
	},
);

/** The test of the wait is red as well. */
export const limiterWaits: Project = grown(limiterRed, [...limiter.done.slice(1)], {
	done: limiter.done.slice(0, 1),
	broken: [],
});

/** The tests of the task in a file that no longer counts when it moves. */
export const gaugeApart: Project = grown(
	gauge,
	[
		replace(
			"package.json",
			"node --test --experimental-test-coverage --test-coverage-lines=100 --test-coverage-include='src/**'",
			"node --test 'test/*.test.js'",
		),
		write(
			"test/level.test.js",
			`import assert from "node:assert/strict";
import { test } from "node:test";
import { level } from "../src/gauge.js";

test("a level is a word for the share", () => {
	assert.deepEqual([0.1, 0.5, 0.9].map(level), ["low", "middle", "high"]);
	assert.throws(() => level(7), RangeError);
});
`,
		),
	],
	{ done: [append("src/gauge.js", LEVEL)], broken: [] },
);
