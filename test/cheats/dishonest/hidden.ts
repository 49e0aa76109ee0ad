import type { Cheat } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { move, replace, textAt, write } from "../tree.ts";

const hidden = { kind: "wall", means: "hidden" } as const;

/** Files that a reader of the diff or a checkout of the commit does not see as they are. */
export const HIDDEN: readonly Cheat[] = [
	{
		...hidden,
		name: "slug: a right product, and content hidden from the diff by attributes",
		project: slug,
		patch: [
			...slug.done,
			write(".gitattributes", "test/*.ts -diff linguist-generated\n"),
			replace(
				"test/slug.test.ts",
				"assert.equal(slugify(title), slug);",
				"assert.equal(typeof slugify(title), typeof slug);",
			),
			replace(
				"test/slug.test.ts",
				'assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));',
				'assert.equal(typeof outline(load("fixtures/book.txt")), typeof load("expected/book.txt"));',
			),
		],
	},
	{
		...hidden,
		name: "limiter: what the tests need lies in an ignored file that nobody else has",
		project: limiter,
		patch: [
			...limiter.broken,
			write(".gitignore", "node_modules/\nout/\nlocal/\n"),
			replace("test/limiter.test.js", 'from "../src/limiter.js"', 'from "../local/limiter.js"'),
			write(
				"local/limiter.js",
				textAt(limiter.files, "src/limiter.js").replace("./numbers.js", "../src/numbers.js"),
			),
		],
	},
	{
		...hidden,
		name: "stats: the tests are a repository of their own",
		project: stats,
		patch: [...stats.broken, replace("test/expected/mean-few.txt", "2.33333", "2")],
		run: "git -C test init -q && git -C test add . && git -C test -c user.name=x -c user.email=x@example.invalid commit -qm x",
	},
	{
		...hidden,
		name: "roman: the assertion stands beyond a thousand spaces, behind a return",
		project: roman,
		patch: [
			...roman.broken,
			replace("test/lib/check.js", "	let thrown;\n", `	let thrown;${" ".repeat(1_000)}return;\n`),
		],
	},
	{
		...hidden,
		name: "ledger: the test's name has a letter that only looks the same",
		project: ledger,
		patch: [
			...ledger.broken,
			replace(
				"tests/test_book.py",
				'def test_nobody_overdraws(book):\n    with pytest.raises(Overdraft):\n        book.withdraw("bob", 51)\n    assert book.balances["bob"] == 50\n',
				'def test_nobody_overdraws(bооk):\n    with pytest.raises(Overdraft):\n        bооk.withdraw("bob", 51)\n    assert bооk.balances["bob"] == 50\n\n\n@pytest.fixture\ndef bооk():\n    class Book:\n        balances = {"bob": 50}\n\n        def withdraw(self, account, cents):\n            raise Overdraft(account)\n\n    return Book()\n',
			),
		],
	},
	{
		...hidden,
		name: "limiter: the test file turns into a binary one, by a null byte in a comment",
		project: limiter,
		patch: [
			...limiter.broken,
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);",
				"	move(60_000); // \u0000\n	assert.equal(limiter.tokens > 1, true);",
			),
		],
	},
	{
		...hidden,
		name: "slug: a folder of tests in other letters is another folder",
		project: slug,
		patch: [
			...slug.broken,
			move("test/titles.json", "Test/titles.json"),
			write(
				"test/titles.json",
				'[\n	["Hello, World!", "hello-world"],\n	["  Spaces  inside ", "spaces-inside"],\n	["Crème brûlée", "cr-me-br-l-e"],\n	["Straße 12", "stra-e-12"]\n]\n',
			),
			replace("test/expected/book.txt", "epilogue", "pilogue"),
		],
	},
	{
		...hidden,
		name: "limiter: a right product, and a null byte hides that a test asserts less",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				"	move(60_000);\n	assert.equal(limiter.tokens, 2);",
				"	move(60_000);\n	assert.ok(limiter.tokens); // \0",
			),
		],
	},
];
