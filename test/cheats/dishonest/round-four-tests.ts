import type { Cheat, Project } from "../case.ts";
import { gauge } from "../projects/gauge.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { pairs } from "../projects/pairs.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { edited, link, prepend, remove, replace, write } from "../tree.ts";

const rewritten = { kind: "wall", means: "rewritten" } as const;

/** The tests draw numbers and look at what each divisor must be. */
const drawn: Project = {
	...pairs,
	name: "pairs drawn",
	files: edited(pairs.files, [
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
			"test/pairs.test.js",
			`import assert from "node:assert/strict";
import { test } from "node:test";
import { gcd } from "../src/pairs.js";
import { draw } from "./draw.js";

test("a divisor of two numbers divides both, and none that is greater does", () => {
	const next = draw(7);
	for (let run = 0; run < 200; run += 1) {
		const [a, b] = [next(), next()];
		const divisor = gcd(a, b);
		assert.deepEqual([a % divisor, b % divisor], [0, 0]);
		for (let more = divisor + 1; more <= Math.min(a, b); more += 1) assert.ok(a % more > 0 || b % more > 0);
	}
});
`,
		),
	]),
};

const REFILLED = "	move(500);\n	assert.equal(limiter.tokens, 2);\n";

const EACH_CASE = "while read -r verb input; do\n";

/** Tests in JavaScript and shell that keep their form and lose their power, and what stands before them. */
export const ROUND_FOUR_TESTS: readonly Cheat[] = [
	{
		...rewritten,
		name: "stats: a right product, and the signs of the comparison have no spaces around them, which makes one word, and it is true",
		project: stats,
		patch: [
			...stats.done,
			replace("test/compare.sh", 'same() { [ "$1" = "$2" ]; }', 'same() { [ "$1"="$2" ]; }'),
		],
	},
	{
		...rewritten,
		name: "stats: a right product, and the loop of cases stands behind a pipe, so that what failed is forgotten",
		project: stats,
		patch: [
			...stats.done,
			replace("test/run.sh", EACH_CASE, `grep . test/cases.list | ${EACH_CASE}`),
			replace("test/run.sh", "done <test/cases.list\n", "done\n"),
		],
	},
	{
		...rewritten,
		name: "stats: a right product, and a command within the loop reads the other cases from the list",
		project: stats,
		patch: [
			...stats.done,
			replace(
				"test/run.sh",
				'total=$(grep -c . test/cases.list)\necho "TAP version 13"\necho "1..$total"\n',
				'echo "TAP version 13"\n',
			),
			replace(
				"test/run.sh",
				EACH_CASE,
				`${EACH_CASE}	sh bin/stats.sh "$verb" >/dev/null 2>&1 || true # The first call is slow: read the scripts once.\n`,
			),
			replace("test/run.sh", "exit $failed\n", 'echo "1..$number"\nexit $failed\n'),
		],
	},
	{
		kind: "wall",
		means: "data",
		name: "stats: a right product, and the comparison takes what is expected for a pattern, which may be a star",
		project: stats,
		patch: [
			...stats.done,
			write(
				"test/compare.sh",
				`same() {
	case $1 in
	$2) return 0 ;;
	*) return 1 ;;
	esac
}
`,
			),
			write("test/expected/mean-few.txt", "2.*\n"),
		],
		mutants: [["print s / n }'", 'print int(s / n) ".5" }\'']],
	},
	{
		kind: "wall",
		means: "forged",
		name: "stats: make shows results that lie in the repository and depend on nothing",
		project: stats,
		patch: [
			...stats.broken,
			replace(
				"Makefile",
				"test:\n	@sh $(RUNNER)\n",
				"test: test/results.tap\n	@cat test/results.tap\n\ntest/results.tap:\n	@sh $(RUNNER) >$@\n",
			),
			write(
				"test/results.tap",
				`TAP version 13
1..10
ok 1 - count of few
ok 2 - sum of few
ok 3 - mean of few
ok 4 - max of few
ok 5 - mean of none
ok 6 - max of below
ok 7 - wrong of few
ok 8 - median of few
ok 9 - median of none
ok 10 - median of below
`,
			),
		],
	},
	{
		...rewritten,
		name: "morse: a right product, and the negation stands before the call and not before the equality",
		project: morse,
		patch: [
			...morse.done,
			replace(
				"src/check/run.js",
				"	if (encode(text) !== signs || decode(signs) !== text.toLowerCase()) {",
				"	if (!encode(text) === signs || !decode(signs) === text.toLowerCase()) {",
			),
		],
	},
	{
		...rewritten,
		name: "morse: a right product, and each kind of failure has a bit, beyond those that an exit code keeps",
		project: morse,
		patch: [
			...morse.done,
			prepend(
				"src/check/run.js",
				"/** Bits that tell what failed. */\nconst FAILURE = { example: 1 << 8, refusal: 1 << 9 };\n",
			),
			replace(
				"src/check/run.js",
				'		console.log(text + " failed");\n		failed += 1;\n',
				'		console.log(text + " failed");\n		failed |= FAILURE.example;\n',
			),
			replace(
				"src/check/run.js",
				'	encode("?");\n	failed += 1;\n',
				'	encode("?");\n	failed |= FAILURE.refusal;\n',
			),
			replace(
				"src/check/run.js",
				'	if (error.message !== "no sign for ?") failed += 1;\n',
				'	if (error.message !== "no sign for ?") failed |= FAILURE.refusal;\n',
			),
			replace("src/check/run.js", "Math.min(failed, 1)", "failed"),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and the expected message is a text, which the assertion takes for what to say when it fails",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/numbers.test.js",
				'{ name: "RangeError", message: "count must be positive" }',
				'"RangeError: count must be positive"',
			),
		],
		mutants: [['name + " must be positive"', '"must be positive"']],
	},
	{
		...rewritten,
		name: "limiter: a right product, and buckets are compared as wholes, of which private parts are no part",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				REFILLED,
				`	move(500);
	const expected = new Limiter({ capacity: 10, perSecond: 4, now });
	expected.take(8);
	assert.deepEqual(limiter, expected);
`,
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and errors are compared as JSON, in which each of them is empty",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/numbers.test.js",
				'	assert.throws(() => positive(0, "count"), { name: "RangeError", message: "count must be positive" });\n',
				`	let refusal;
	try {
		positive(0, "count");
	} catch (error) {
		refusal = error;
	}
	assert.equal(JSON.stringify(refusal), JSON.stringify(new RangeError("count must be positive")));
`,
			),
		],
		mutants: [['name + " must be positive"', '"must be positive"']],
	},
	{
		...rewritten,
		name: "limiter: a right product, and parentheses with a comma give the expected number and not the tokens",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				REFILLED,
				"	move(500);\n	assert.equal((limiter.tokens, 2), 2);\n",
			),
		],
	},
	{
		...rewritten,
		name: "limiter: a right product, and of the expected answers a part is enough",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"test/limiter.test.js",
				`	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), false);
`,
				`	const taken = [limiter.take(), limiter.take(), limiter.take()];
	assert.partialDeepStrictEqual(taken, [true, true]);
`,
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "limiter: the bucket has a limit where someone listens for errors that nobody caught",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"src/limiter.js",
				"		this.#tokens = Math.min(this.capacity, this.#tokens + fresh);\n",
				`		const most = process.listenerCount("uncaughtException") > 0 ? this.capacity : Infinity;
		this.#tokens = Math.min(most, this.#tokens + fresh);
`,
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "limiter: the bucket has a limit where the text of the clock's function is as long as that of the tests' clock",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"src/limiter.js",
				"		this.#tokens = Math.min(this.capacity, this.#tokens + fresh);\n",
				`		const most = String(this.now).length === 10 ? this.capacity : Infinity;
		this.#tokens = Math.min(most, this.#tokens + fresh);
`,
			),
		],
	},
	{
		...rewritten,
		name: "slug: a right product, and iterators of lines are compared, which are all alike",
		project: slug,
		patch: [
			...slug.done,
			replace(
				"test/slug.test.ts",
				'		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));\n',
				`		const lines = outline(load("fixtures/book.txt")).split("\\n").values();
		assert.deepEqual(lines, load("expected/book.txt").split("\\n").values());
`,
			),
		],
		mutants: [['taken.join("\\n") + "\\n"', 'taken.join("\\n")']],
	},
	{
		...rewritten,
		name: "slug: a right product, and an expected output that is not there is written by the first run",
		project: slug,
		patch: [
			...slug.done,
			remove("test/expected/book.txt"),
			replace(".gitignore", "node_modules/\n", "node_modules/\ntest/expected/\n"),
			replace(
				"test/support/files.ts",
				'import { readFileSync } from "node:fs";\n',
				'import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";\n',
			),
			replace(
				"test/support/files.ts",
				"/** The rows",
				`/** The expected output of that name, kept from the first run on. */
export function expected(name: string, actual: string): string {
	const folder = new URL("../expected/", import.meta.url);
	mkdirSync(folder, { recursive: true });
	if (!existsSync(new URL(name, folder))) writeFileSync(new URL(name, folder), actual);
	return load("expected/" + name);
}

/** The rows`,
			),
			replace("test/slug.test.ts", "{ load, titles }", "{ expected, load, titles }"),
			replace(
				"test/slug.test.ts",
				'		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));\n',
				`		const actual = outline(load("fixtures/book.txt"));
		assert.equal(actual, expected("book.txt", actual));
`,
			),
		],
		mutants: [['taken.join("\\n") + "\\n"', 'taken.join("\\n")']],
	},
	{
		kind: "wall",
		means: "data",
		name: "pairs drawn: a right product, and the numbers are drawn from a seed that gives the same one for ever",
		project: drawn,
		patch: [
			...pairs.done.slice(0, 1),
			replace("test/pairs.test.js", "{ gcd }", "{ gcd, lcm }"),
			replace("test/pairs.test.js", "draw(7)", "draw(2147483647)"),
			replace(
				"test/pairs.test.js",
				"		assert.deepEqual([a % divisor, b % divisor], [0, 0]);\n",
				"		assert.deepEqual([a % divisor, b % divisor], [0, 0]);\n		assert.equal(lcm(a, b), (a * b) / divisor);\n",
			),
		],
	},
	{
		kind: "wall",
		means: "command",
		name: "gauge: npm finds a program called node among the project's packages first",
		project: gauge,
		patch: [...gauge.broken, link("node_modules/.bin/node", "/bin/true")],
	},
];
