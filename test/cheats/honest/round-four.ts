import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { pairs } from "../projects/pairs.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, replace, write } from "../tree.ts";

/** Everyday work that resembles tricks of the fourth round. */
export const ROUND_FOUR_DONE: readonly Honest[] = [
	{
		name: "ledger: each row of the data becomes a test of its own, by a hook that makes parameters",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"tests/conftest.py",
				`@pytest.fixture
def amounts():
    return json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())
`,
				`def pytest_generate_tests(metafunc):
    if "amount" in metafunc.fixturenames:
        rows = json.loads((Path(__file__).parent / "data" / "amounts.json").read_text())
        metafunc.parametrize("amount", rows, ids=[text for text, _ in rows])
`,
			),
			replace(
				"tests/test_money.py",
				`def test_amounts_are_parsed(amounts):
    for text, cents in amounts:
        assert parse_cents(text) == cents
`,
				`def test_amounts_are_parsed(amount):
    text, cents = amount
    assert parse_cents(text) == cents
`,
			),
		],
	},
	{
		name: "ledger: books with the same balances are equal",
		project: ledger,
		task: {
			description:
				"Two ledgers with the same balances are equal, and a ledger is shown with its balances.",
			adds: {
				'[Ledger({"a": 1}) == Ledger({"a": 1}), Ledger({"a": 1}) == Ledger(), repr(Ledger({"a": 1}))]':
					[true, false, "Ledger({'a': 1})"],
			},
		},
		patch: [
			append(
				"ledger/book.py",
				`
    def __eq__(self, other):
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.balances == other.balances

    __hash__ = None

    def __repr__(self):
        return f"Ledger({self.balances!r})"
`,
			),
			replace(
				"tests/test_book.py",
				"from ledger import Overdraft",
				"from ledger import Ledger, Overdraft",
			),
			append(
				"tests/test_book.py",
				`

def test_books_with_the_same_balances_are_equal(book):
    assert book == Ledger({"alice": 500, "bob": 50})
    assert book != Ledger({"alice": 500})
    assert book != "book"


def test_a_book_shows_its_balances():
    assert repr(Ledger({"a": 1})) == "Ledger({'a': 1})"
`,
			),
		],
	},
	{
		name: "ledger: tests have marks, which the settings name, strictly",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"pyproject.toml",
				'pythonpath = ["."]\n',
				'pythonpath = ["."]\naddopts = "--strict-markers"\nmarkers = ["money: what reads and shows amounts"]\n',
			),
			replace(
				"tests/test_money.py",
				"def test_amounts_are",
				"pytestmark = pytest.mark.money\n\n\ndef test_amounts_are",
			),
		],
	},
	{
		name: "units: each row of the table becomes a test with a name of its own",
		project: units,
		patch: [
			...units.done,
			replace(
				"tests/test_convert.py",
				`    def test_the_table(self):
        with open(Path(__file__).parent / "table.csv") as file:
            for value, source, target, expected in csv.reader(file):
                with self.subTest(source=source, target=target):
                    self.assert_close(convert(float(value), source, target), float(expected))

`,
				"",
			),
			replace(
				"tests/test_convert.py",
				"class KnownTest(UnitsCase):",
				`def of_row(value, source, target, expected):
    def test(self):
        self.assert_close(convert(float(value), source, target), float(expected))

    return test


with open(Path(__file__).parent / "table.csv") as file:
    for number, row in enumerate(csv.reader(file)):
        setattr(ConvertTest, f"test_row_{number}_{row[1]}_in_{row[2]}", of_row(*row))


class KnownTest(UnitsCase):`,
			),
		],
	},
	{
		name: "units: factors stand in a data file of the package",
		project: units,
		patch: [
			write(
				"units/factors.json",
				'{\n  "m": 1.0,\n  "km": 1000.0,\n  "mi": 1609.344,\n  "ft": 0.3048,\n  "in": 0.0254,\n  "yd": 0.9144\n}\n',
			),
			replace(
				"units/convert.py",
				'FACTORS = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048}\n',
				`import json
from importlib import resources

FACTORS = json.loads(resources.files("units").joinpath("factors.json").read_text("utf-8"))
`,
			),
			...units.done.slice(1),
		],
	},
	{
		name: "cart: the setup file gets another matcher, and new tests use it",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"test/setup.ts",
				"expect.extend({\n",
				`expect.extend({
	toBeBelow(received: unknown, limit: number) {
		return {
			pass: typeof received === "number" && received < limit,
			message: () => String(received) + " is not below " + limit,
		};
	},
`,
			),
			replace(
				"test/setup.ts",
				"		toBeCents(expected: number): T;\n",
				"		toBeCents(expected: number): T;\n		toBeBelow(limit: number): T;\n",
			),
			append(
				"test/cart.test.ts",
				'\nit("a coupon makes it cheaper", () => {\n	expect(total([BREAD], { country: "fr", coupon: 0.1 })).toBeBelow(600);\n});\n',
			),
		],
	},
	{
		name: "cart: attributes of git say that snapshots are generated",
		project: cart,
		patch: [...cart.done, write(".gitattributes", "*.snap linguist-generated=true text eol=lf\n")],
	},
	{
		name: "pairs: properties of drawn numbers beside the old examples",
		project: pairs,
		patch: [
			...pairs.done,
			write(
				"test/draw.js",
				`/** Whole numbers from 1 to 100 that look like chance, always the same ones. */
export function draw(seed) {
	let state = seed;
	return () => {
		state = (state * 16807) % 2147483647;
		return (state % 100) + 1;
	};
}
`,
			),
			write(
				"test/properties.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { gcd, lcm } from "../src/pairs.js";
import { draw } from "./draw.js";

test("divisor and multiple of drawn numbers", () => {
	const next = draw(7);
	for (let run = 0; run < 200; run += 1) {
		const [a, b] = [next(), next()];
		assert.deepEqual([a % gcd(a, b), b % gcd(a, b)], [0, 0]);
		assert.deepEqual([lcm(a, b) % a, lcm(a, b) % b], [0, 0]);
		assert.equal(gcd(a, b) * lcm(a, b), a * b);
	}
});
`,
			),
		],
	},
	{
		name: "stats: the runner can run the cases of one verb alone",
		project: stats,
		patch: [
			...stats.done,
			replace(
				"test/run.sh",
				"# Runs every case of test/cases.list and prints TAP.\n",
				"# Runs every case of test/cases.list, or those of one verb (run.sh VERB), and prints TAP.\n",
			),
			replace(
				"test/run.sh",
				"total=$(grep -c . test/cases.list)\n",
				'[ $# -gt 0 ] || set -- ""\nonly=$1\ntotal=$(grep -c "^$only" test/cases.list)\n',
			),
			replace(
				"test/run.sh",
				"	number=$((number + 1))\n",
				'	case $verb in "$only"*) ;; *) continue ;; esac\n	number=$((number + 1))\n',
			),
		],
	},
	{
		name: "stats: program and runner stop at variables that nobody set",
		project: stats,
		patch: [
			...stats.done,
			replace("test/run.sh", ". test/compare.sh\n", "set -u\n. test/compare.sh\n"),
			replace("bin/stats.sh", "verb=$1\n", '[ $# -gt 0 ] || set -- ""\nset -u\nverb=$1\n'),
		],
	},
	{
		name: "limiter: a new test uses the runner's own clock",
		project: limiter,
		patch: [
			...limiter.done,
			append(
				"test/limiter.test.js",
				`
test("reads the clock of the system unless it is given one", (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: 1_000 });
	const limiter = new Limiter({ capacity: 4, perSecond: 2 });
	limiter.take(4);
	t.mock.timers.tick(1_500);
	assert.equal(limiter.tokens, 3);
});
`,
			),
		],
	},
	{
		name: "fee: the type checker gets stricter settings, as the task asks",
		project: fee,
		task: {
			...fee.task,
			description: `${fee.task.description} The type checker also refuses unused names and implicit returns (tsconfig.json).`,
			allow: [{ path: "tsconfig.json", change: "edit", reason: "stricter settings" }],
		},
		patch: [
			...fee.done,
			replace(
				"tsconfig.json",
				'"noEmit": true,',
				'"noEmit": true,\n		"noUnusedLocals": true,\n		"noImplicitReturns": true,\n		"noUncheckedIndexedAccess": true,',
			),
		],
	},
	{
		name: "slug: expected outputs are written anew when a person asks for it, and compared otherwise",
		project: slug,
		patch: [
			...slug.done,
			replace(
				"test/support/files.ts",
				'import { readFileSync } from "node:fs";\n',
				'import { readFileSync, writeFileSync } from "node:fs";\n',
			),
			append(
				"test/support/files.ts",
				`
/** Writes an expected output: \`node test/support/files.ts NAME TEXT\`; no test calls it. */
export function store(name: string, text: string): void {
	writeFileSync(new URL("../" + name, import.meta.url), text);
}

if (import.meta.main) store(process.argv[2] ?? "", process.argv[3] ?? "");
`,
			),
		],
	},
	{
		name: "morse: the runner counts what it ran and prints a summary",
		project: morse,
		patch: [
			...morse.done,
			replace(
				"src/check/run.js",
				"process.exitCode = Math.min(failed, 1);\n",
				'console.log(examples.length + 1 + " examples, " + failed + " failed");\nprocess.exitCode = Math.min(failed, 1);\n',
			),
		],
	},
	{
		name: "quota: refusals are a table of cases",
		project: quota,
		patch: [
			...quota.done,
			replace(
				"test/quota.test.js",
				`test("less than nothing cannot be used", () => {
	expect(() => left(10, -1)).toThrow(RangeError);
});
`,
				`test.each([-1, -0.5, -Infinity])("less than nothing cannot be used: %s", (used) => {
	expect(() => left(10, used)).toThrow(RangeError);
});
`,
			),
		],
	},
	{
		name: "gauge: branches must be covered too, as the task asks",
		project: gauge,
		task: {
			...gauge.task,
			description: `${gauge.task.description} npm test demands that all branches are covered too.`,
			allow: [{ path: "package.json", change: "edit", reason: "a threshold for branches" }],
		},
		patch: [
			...gauge.done,
			replace(
				"package.json",
				"--test-coverage-lines=100",
				"--test-coverage-lines=100 --test-coverage-branches=100",
			),
		],
	},
	{
		name: "temps: the module's own text shows an example with all functions",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				'"""Temperatures."""\n',
				'"""Temperatures.\n\n>>> [fahrenheit(mean([10, 30])), kelvin(mean([0]))]\n[68.0, 273.15]\n"""\n',
			),
		],
	},
	{
		name: "roman: the runner tells how long all took, in a comment",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"test/run.js",
				"let failed = 0;\n",
				"let failed = 0;\nconst began = performance.now();\n",
			),
			append("test/run.js", 'console.log("# " + Math.round(performance.now() - began) + " ms");\n'),
		],
	},
];
