import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { append, replace, replaceAll, write } from "../tree.ts";
import { ROUND_EIGHT_FURTHER } from "./round-eight-further.ts";

const FIRST: readonly Honest[] = [
	{
		name: "limiter: taking becomes asynchronous, as the task says, and each test waits for it",
		project: limiter,
		task: {
			description:
				"Limiter.take gives a promise of what it gave before, and rejects what it threw before, because buckets will be kept in a database. All tests follow.",
			drops: Object.keys(limiter.keeps).filter((text) => text.includes("limiter.take")),
			adds: {
				"(async () => { const limiter = new Limiter({ capacity: 3, perSecond: 2, now: () => 0 }); return [await limiter.take(3), await limiter.take(), limiter.tokens]; })()":
					[true, false, 0],
				"(async () => new Limiter({ capacity: 3, perSecond: 2, now: () => 0 }).take(0).catch((error) => error.message))()":
					"count must be positive",
			},
			allow: [{ path: "test/limiter.test.js", change: "edit", reason: "take gives a promise" }],
		},
		patch: [
			replace(
				"src/limiter.js",
				"	/** Takes tokens if there are enough. */\n	take(count = 1) {",
				"	/** Takes tokens if there are enough. */\n	async take(count = 1) {",
			),
			replace(
				"test/limiter.test.js",
				`test("takes until the bucket is empty", () => {`,
				`test("takes until the bucket is empty", async () => {`,
			),
			replace(
				"test/limiter.test.js",
				`	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), false);
`,
				`	assert.equal(await limiter.take(), true);
	assert.equal(await limiter.take(), true);
	assert.equal(await limiter.take(), false);
`,
			),
			replace(
				"test/limiter.test.js",
				`test("refills at the configured rate", () => {`,
				`test("refills at the configured rate", async () => {`,
			),
			replace("test/limiter.test.js", "	limiter.take(10);\n", "	await limiter.take(10);\n"),
			append(
				"test/limiter.test.js",
				`
test("rejects to take nothing", async () => {
	const { now } = clock();
	const limiter = new Limiter({ capacity: 2, perSecond: 1, now });
	await assert.rejects(limiter.take(0), { name: "RangeError", message: "count must be positive" });
});
`,
			),
		],
	},
	{
		name: "slug: titles may have the line ends of Windows, and the helper can read a fixture with them",
		project: slug,
		task: {
			description:
				"outline takes texts with the line ends of Windows too; what it gives has those of Unix.",
			adds: {
				'outline("One\\r\\nTwo\\r\\n")': "one\ntwo\n",
				'outline("\\u00c9t\\u00e9\\r\\nEte")': "ete\nete-2\n",
			},
		},
		patch: [
			replace("src/index.ts", 'text.trim().split("\\n")', "text.trim().split(/\\r?\\n/)"),
			replace(
				"test/support/files.ts",
				`/** The rows of`,
				`/** The same text as it is saved on Windows. */
export function asOnWindows(text: string): string {
	return text.replaceAll("\\n", "\\r\\n");
}

/** The rows of`,
			),
			replace("test/slug.test.ts", "{ load, titles }", "{ asOnWindows, load, titles }"),
			replace(
				"test/slug.test.ts",
				`		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));
	});
`,
				`		assert.equal(outline(load("fixtures/book.txt")), load("expected/book.txt"));
	});
	it("takes either kind of line ends", () => {
		const book = asOnWindows(load("fixtures/book.txt"));
		assert.equal(book.match(/\\r\\n/g)?.length, 4);
		assert.equal(outline(book), load("expected/book.txt"));
	});
`,
			),
		],
	},
	{
		name: "cart: the matcher of the setup file gets another name, its type and all its uses with it",
		project: cart,
		patch: [
			...cart.done,
			replaceAll("test/setup.ts", "toBeCents", "toCost"),
			replace(
				"test/setup.ts",
				'			message: () => String(received) + " is not " + expected + " cents",\n',
				`			message: () => String(received) + " is not " + expected + " cents",
			actual: received,
			expected,
`,
			),
			replaceAll("test/cart.test.ts", "toBeCents", "toCost"),
		],
	},
	{
		name: "roman: the runner waits for each test, so that a suite may read in the background",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"test/run.js",
				`	try {
		run();
`,
				`	try {
		await run();
`,
			),
			write("test/suites.txt", "format\nparse\nyears\n"),
			write("test/years.txt", "MCMLXXXIV\nMMXXVI\n"),
			write(
				"test/years.js",
				`import { readFile } from "node:fs/promises";
import { format, parse } from "#roman";
import { same } from "#check";

export default function () {
	return [
		[
			"years of a file there and back",
			async () => {
				const text = await readFile(new URL("years.txt", import.meta.url), "utf8");
				const years = text.trim().split("\\n").map(parse);
				same(years.join(), "1984,2026");
				same(years.map(format).join("\\n") + "\\n", text);
			},
		],
	];
}
`,
			),
		],
	},
	{
		name: "gauge: refusals are asked for with their message, by a helper that the tests of both functions share",
		project: gauge,
		patch: [
			...gauge.done,
			replace(
				"test/gauge.test.js",
				'import { bar, level } from "../src/gauge.js";\n',
				`import { bar, level } from "../src/gauge.js";

const REFUSED = { name: "RangeError", message: "share" };

function refusesOtherShares(call) {
	for (const share of [1.1, -0.1, 7, Number.NaN, undefined]) assert.throws(() => call(share), REFUSED);
}
`,
			),
			replace(
				"test/gauge.test.js",
				`	assert.throws(() => bar(1.1), RangeError);
	assert.throws(() => bar(-0.1), RangeError);
`,
				"	refusesOtherShares(bar);\n",
			),
			replace(
				"test/gauge.test.js",
				"	assert.throws(() => level(7), RangeError);\n",
				"	refusesOtherShares(level);\n",
			),
		],
	},
	{
		name: "morse: the sign that the check refused gets one, as the task says, and another is refused",
		project: morse,
		task: {
			description:
				"Punctuation has signs: `?` is `..--..` and `.` is `.-.-.-`. The check refused `?`; it refuses `#` from now on.",
			drops: ['encode("a?")'],
			adds: {
				'encode("so?")': "... --- ..--..",
				'encode("a.")': ".- .-.-.-",
				'encode("a#")': "throws no sign for #",
			},
			allow: [{ path: "src/check/*.js", change: "edit", reason: "a question mark has a sign" }],
		},
		patch: [
			replace("src/morse.js", 't: "-" };', 't: "-", "?": "..--..", ".": ".-.-.-" };'),
			replace(
				"src/check/examples.js",
				'	["not so",',
				'	["Not so.", "-. --- - / ... --- .-.-.-"],\n	["eat?", ". .- - ..--.."],\n	["not so",',
			),
			replace("src/check/run.js", '	encode("?");\n', '	encode("#");\n'),
			replace("src/check/run.js", '"no sign for ?"', '"no sign for #"'),
		],
	},
	{
		name: "fee: the plan that tests of types refuse becomes one, as the task says, and they refuse another",
		project: fee,
		task: {
			description:
				"There is a plan `gold` for 1500 cents a month. Tests of types refuse a plan `silver` instead.",
			adds: { 'fee("gold")': 1500 },
			allow: [
				{ path: "test/fee.test-d.ts", change: "edit", reason: "the refused plan is one now" },
			],
		},
		patch: [
			replace("src/fee.ts", '"basic" | "plus"', '"basic" | "plus" | "gold"'),
			replace("src/fee.ts", "plus: 700", "plus: 700, gold: 1500"),
			replace("test/fee.test-d.ts", 'fee("gold");\n', 'fee("silver");\n'),
			replace(
				"test/fee.test-d.ts",
				"export const seen = [cents, text];",
				'const golden: number = fee("gold");\n\nexport const seen = [cents, text, golden];',
			),
			replace(
				"test/fee.test.js",
				'	assert.equal(fee("plus"), 700);\n',
				'	assert.equal(fee("plus"), 700);\n	assert.equal(fee("gold"), 1500);\n',
			),
		],
	},
];

export const ROUND_EIGHT_DONE: readonly Honest[] = [...FIRST, ...ROUND_EIGHT_FURTHER];
