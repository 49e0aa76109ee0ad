import type { Honest } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { remove, replace, write } from "../tree.ts";

/** Other means for the same tests. */
export const ROUND_SEVEN_TOOLS: readonly Honest[] = [
	{
		name: "limiter: tests move the runner's own clock, and the helper that was one goes, as the task says",
		project: limiter,
		task: {
			description: `${limiter.task.description} The tests use the timers of the runner, and test/clock.js goes.`,
			adds: limiter.task.adds,
			allow: [
				{ path: "test/clock.js", change: "delete", reason: "the runner has a clock of its own" },
			],
		},
		patch: [
			...limiter.done.slice(0, 1),
			remove("test/clock.js"),
			write(
				"test/limiter.test.js",
				`import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Limiter } from "../src/limiter.js";

beforeEach(() => {
	mock.timers.reset();
	mock.timers.enable({ apis: ["Date"], now: 0 });
});

test("takes until the bucket is empty", () => {
	const limiter = new Limiter({ capacity: 2, perSecond: 1 });
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), false);
});

test("refills at the configured rate", () => {
	const limiter = new Limiter({ capacity: 10, perSecond: 4 });
	limiter.take(10);
	mock.timers.tick(500);
	assert.equal(limiter.tokens, 2);
});

test("never holds more than its capacity", () => {
	const limiter = new Limiter({ capacity: 2, perSecond: 1 });
	mock.timers.tick(60_000);
	assert.equal(limiter.tokens, 2);
});

test("tells how long to wait", () => {
	const limiter = new Limiter({ capacity: 2, perSecond: 4 });
	limiter.take(2);
	assert.equal(limiter.wait(1), 250);
	mock.timers.tick(250);
	assert.equal(limiter.wait(1), 0);
	assert.equal(limiter.wait(3), Infinity);
});

test("asks the clock that it is given", () => {
	let time = 0;
	const limiter = new Limiter({ capacity: 10, perSecond: 4, now: () => time });
	limiter.take(10);
	mock.timers.tick(1000);
	assert.equal(limiter.tokens, 0);
	time = 500;
	assert.equal(limiter.tokens, 2);
});
`,
			),
		],
		mutants: [["this.now = now;", "this.now = Date.now;"]],
	},
	{
		name: "roman: the assertion library says its words by that of the runtime",
		project: roman,
		patch: [
			...roman.done,
			write(
				"test/lib/check.js",
				`import assert from "node:assert/strict";

/** Throws when the values differ. */
export function same(actual, expected) {
	assert.equal(actual, expected);
}

/** Throws when the call does not throw an error with this message. */
export function refuses(call, message) {
	assert.throws(call, { message });
}
`,
			),
		],
	},
	{
		name: "units: what is close depends on the size of a length, more strictly than before",
		project: units,
		patch: [
			...units.done,
			write(
				"tests/case.py",
				`import math
import unittest


class UnitsCase(unittest.TestCase):
    share = 1e-12

    def assert_close(self, actual, expected):
        if not math.isclose(actual, expected, rel_tol=self.share, abs_tol=0.0):
            self.fail(f"{actual!r} is not {expected!r}: more than {self.share} of it off")
`,
			),
			replace(
				"tests/test_convert.py",
				"    def test_there_and_back(self):",
				`    def test_small_and_large_lengths(self):
        self.assert_close(convert(1e-9, "km", "m"), 1e-6)
        self.assert_close(convert(1e12, "ft", "m"), 3.048e11)

    def test_there_and_back(self):`,
			),
		],
	},
	{
		name: "ledger: the exception tells what is missing, and the tests look into it",
		project: ledger,
		task: {
			description: `${ledger.task.description} Overdraft tells the account and the missing cents.`,
			adds: {
				...ledger.task.adds,
				'(lambda fault: [str(fault), fault.account, fault.missing])(Overdraft("x", 3))': [
					"x",
					"x",
					3,
				],
			},
		},
		patch: [
			...ledger.done,
			replace(
				"ledger/book.py",
				"class Overdraft(Exception):\n    pass\n",
				`class Overdraft(Exception):
    """A withdrawal for which an account has too little."""

    def __init__(self, account, missing):
        super().__init__(account)
        self.account = account
        self.missing = missing
`,
			),
			replace(
				"ledger/book.py",
				`        if self.balances.get(account, 0) < cents:
            raise Overdraft(account)
`,
				`        held = self.balances.get(account, 0)
        if held < cents:
            raise Overdraft(account, cents - held)
`,
			),
			replace(
				"tests/test_book.py",
				`    with pytest.raises(Overdraft):
        book.withdraw("bob", 51)
    assert book.balances["bob"] == 50
`,
				`    with pytest.raises(Overdraft, match="^bob$") as caught:
        book.withdraw("bob", 51)
    assert (caught.value.account, caught.value.missing) == ("bob", 1)
    assert book.balances["bob"] == 50
`,
			),
		],
		mutants: [["cents - held", "cents"]],
	},
	{
		name: "stats: the runner keeps outputs in a folder that goes when it ends, and shows differences",
		project: stats,
		patch: [
			...stats.done,
			replace(
				"test/run.sh",
				". test/compare.sh\n",
				`. test/compare.sh
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
`,
			),
			replace(
				"test/run.sh",
				`	if same "$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)" "$(cat "test/expected/$verb-$input.txt")"; then
`,
				`	expected=test/expected/$verb-$input.txt
	sh bin/stats.sh "$verb" <"test/data/$input.txt" >"$outputs/$number" 2>&1
	if same "$(cat "$outputs/$number")" "$(cat "$expected")"; then
`,
			),
			replace(
				"test/run.sh",
				'		echo "not ok $number - $name"\n',
				`		echo "not ok $number - $name"
		diff "$expected" "$outputs/$number" | sed 's/^/# /'
`,
			),
		],
	},
	{
		name: "slug: the table of titles becomes a text with tabs, which a helper splits",
		project: slug,
		patch: [
			...slug.done,
			remove("test/titles.json"),
			write(
				"test/titles.tsv",
				`title	slug
Hello, World!	hello-world
  Spaces  inside 	spaces-inside
Crème brûlée	creme-brulee
Straße 12	strasse-12
`,
			),
			replace(
				"test/support/files.ts",
				'	return JSON.parse(load("titles.json"));\n',
				`	const [heading, ...lines] = load("titles.tsv").trimEnd().split("\\n");
	if (heading !== "title\\tslug") throw new Error("titles.tsv has another heading: " + heading);
	return lines.map((line) => {
		const [title, slug, ...more] = line.split("\\t");
		if (title === undefined || slug === undefined || more.length > 0) throw new Error("not a row: " + line);
		return [title, slug] as const;
	});
`,
			),
		],
	},
];
