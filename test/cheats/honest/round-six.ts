import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, prepend, replace, write } from "../tree.ts";
import { ROUND_SIX_FURTHER } from "./round-six-further.ts";

const BOOK = 'Ledger({"a": 100, "b": 20})';

/** A check of a Python expression that also looks at the book after an error. */
const afterError = (steps: string): string =>
	`(lambda book: [__import__("unittest").TestCase().assertRaises(Overdraft, book.atomic()(lambda: [${steps}])), book.balances["a"], book.balances["b"]])(${BOOK})`;

/** Patches that do their task and keep the tests as strong as they were. */
export const ROUND_SIX_DONE: readonly Honest[] = [
	{
		name: "limiter: without a clock of one's own the time is one that never goes back, with a test that gives none",
		project: limiter,
		patch: [
			...limiter.done,
			replace("src/limiter.js", "now = Date.now }", "now = () => performance.now() }"),
			append(
				"test/limiter.test.js",
				`
test("has a clock of its own", () => {
	const limiter = new Limiter({ capacity: 1, perSecond: 0.001 });
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), false);
	assert.ok(limiter.wait() > 0);
});
`,
			),
		],
	},
	{
		name: "slug: outlines are tested for all fixtures of the folder, which gets a second one",
		project: slug,
		patch: [
			...slug.done,
			write("test/fixtures/menu.txt", "Café\nCafe\nCafé au lait\nTea & Toast!\n"),
			write("test/expected/menu.txt", "cafe\ncafe-2\ncafe-au-lait\ntea-toast\n"),
			replace(
				"test/support/files.ts",
				'import { readFileSync } from "node:fs";',
				'import { readdirSync, readFileSync } from "node:fs";',
			),
			append(
				"test/support/files.ts",
				`
/** Names of all fixtures; each has an expected output of the same name. */
export function fixtures(): readonly string[] {
	return readdirSync(new URL("../fixtures/", import.meta.url)).sort();
}
`,
			),
			replace("test/slug.test.ts", "import { load, titles }", "import { fixtures, load, titles }"),
			replace(
				"test/slug.test.ts",
				`	it("gives each title of a book its slug", () => {
		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));
	});
`,
				`	it("has a book and a menu", () => {
		assert.deepEqual(fixtures(), ["book.txt", "menu.txt"]);
	});
	for (const name of fixtures()) {
		it("gives each title of " + name + " its slug", () => {
			assert.equal(outline(load("fixtures/" + name)), load("expected/" + name));
		});
	}
`,
			),
		],
	},
	{
		name: "cart: a new file of tests watches how often the rates are asked, and leaves them as they are",
		project: cart,
		patch: [
			...cart.done,
			write(
				"test/rates.test.ts",
				`import { beforeEach, expect, it, vi } from "vitest";
import { receipt, total } from "../src/cart.ts";
import { rateOf } from "../src/rates.ts";
import { BREAD, SALT } from "./items.ts";

vi.mock("../src/rates.ts", { spy: true });

beforeEach(() => {
	vi.mocked(rateOf).mockClear();
});

it("asks once for all items of a cart", () => {
	expect(total([BREAD, SALT], { country: "fr" })).toBeCents(719);
	expect(rateOf).toHaveBeenCalledExactlyOnceWith("fr");
});

it("asks once for a receipt", () => {
	receipt([BREAD, SALT], { country: "de" });
	expect(rateOf).toHaveBeenCalledExactlyOnceWith("de");
});
`,
			),
		],
	},
	{
		name: "roman: the runner refuses two tests of one name, and a suite without any",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"test/run.js",
				"	tests.push(...suite.default(cases));\n}\n",
				`	const found = suite.default(cases);
	if (found.length === 0) throw new Error("no tests in " + name);
	tests.push(...found);
}
const names = new Set();
for (const [name] of tests) {
	if (names.has(name)) throw new Error("two tests have the name " + name);
	names.add(name);
}
`,
			),
		],
	},
	{
		name: "stats: the runner fails for an expected output that no case uses",
		project: stats,
		patch: [
			...stats.done,
			replace(
				"test/run.sh",
				"exit $failed\n",
				`for file in test/expected/*.txt; do
	name=$(basename "$file" .txt)
	if ! grep -qx "\${name%%-*} \${name#*-}" test/cases.list; then
		echo "# no case uses $file"
		failed=1
	fi
done
exit $failed
`,
			),
		],
	},
	{
		name: "ledger: the changes of a block hold together, and an error of any kind takes them back",
		project: ledger,
		task: {
			description:
				"Ledger.atomic() is a context for a block whose deposits and withdrawals hold together: when the block raises, whatever it is, balances are as they were before, and the exception goes on.",
			adds: {
				[afterError('book.withdraw("a", 60), book.deposit("b", 60), book.withdraw("b", 81)')]: [
					null,
					100,
					20,
				],
				[`(lambda book: [book.atomic()(lambda: book.withdraw("a", 60))(), book.balances["a"]])(${BOOK})`]:
					[40, 40],
			},
		},
		patch: [
			prepend("ledger/book.py", "from contextlib import contextmanager\n\n\n"),
			append(
				"ledger/book.py",
				`
    @contextmanager
    def atomic(self):
        """A block whose changes hold together: when it raises, none of them stays."""
        before = dict(self.balances)
        try:
            yield self
        except BaseException:
            self.balances = before
            raise
`,
			),
			append(
				"tests/test_book.py",
				`

def test_changes_of_a_block_stay(book):
    with book.atomic():
        book.withdraw("alice", 100)
        book.deposit("bob", 100)
    assert book.balances == {"alice": 400, "bob": 150}


@pytest.mark.parametrize("error", [Overdraft, ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_takes_the_changes_of_a_block_back(book, error):
    with pytest.raises(error):
        with book.atomic():
            book.withdraw("alice", 100)
            book.deposit("carol", 100)
            raise error("stop")
    assert book.balances == {"alice": 500, "bob": 50}
`,
			),
		],
		mutants: [["self.balances = before", "pass"]],
	},
	{
		name: "units: the table gets a heading, by whose names the test reads it",
		project: units,
		patch: [
			...units.done,
			prepend("tests/table.csv", "value,source,target,expected\n"),
			replace(
				"tests/test_convert.py",
				`            for value, source, target, expected in csv.reader(file):
                with self.subTest(source=source, target=target):
                    self.assert_close(convert(float(value), source, target), float(expected))
`,
				`            rows = list(csv.DictReader(file, strict=True))
        self.assertGreaterEqual(len(rows), 4)
        for row in rows:
            with self.subTest(**row):
                found = convert(float(row["value"]), row["source"], row["target"])
                self.assert_close(found, float(row["expected"]))
`,
			),
		],
	},
	...ROUND_SIX_FURTHER,
];
