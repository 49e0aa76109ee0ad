import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, cutFrom, edited, remove, replace, write } from "../tree.ts";

const withDrain = {
	...limiter,
	files: edited(limiter.files, [
		write(
			"src/drain.js",
			"/** @deprecated Use take. */\nexport function drain(limiter) {\n	return limiter.take(limiter.tokens);\n}\n",
		),
		write(
			"test/drain.test.js",
			'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { drain } from "../src/drain.js";\nimport { Limiter } from "../src/limiter.js";\n\ntest("a drained limiter is empty", () => {\n	const limiter = new Limiter({ capacity: 2, perSecond: 1, now: () => 0 });\n	drain(limiter);\n	assert.equal(limiter.tokens, 0);\n});\n',
		),
	]),
};

const withMarkdown = {
	...slug,
	files: edited(slug.files, [
		append(
			"src/index.ts",
			'\n/** A link to a title. */\nexport function link(title: string): string {\n	return "[" + title + "](#" + slugify(title) + ")";\n}\n',
		),
		replace("test/slug.test.ts", "import { outline, slugify,", "import { link, outline, slugify,"),
		append(
			"test/slug.test.ts",
			'\ndescribe("link", () => {\n	it("leads to the slug", () => {\n		assert.equal(link("Ä"), "[Ä](#a)");\n	});\n});\n',
		),
	]),
};

/** Tests that go with code that the task names. */
export const DEAD_CODE: readonly Honest[] = [
	{
		name: "limiter: a deprecated function goes with its test file",
		project: withDrain,
		task: {
			description: "Remove the deprecated drain() and its tests.",
			allow: [{ path: "test/drain.test.js", change: "delete", reason: "drain() goes" }],
		},
		patch: [remove("src/drain.js"), remove("test/drain.test.js")],
	},
	{
		name: "slug: a function goes with its group of tests",
		project: withMarkdown,
		task: {
			description: "Remove link() and its tests.",
			adds: { "typeof globalThis.link": "undefined" },
			allow: [{ path: "test/slug.test.ts", change: "weaken", reason: "link() goes" }],
		},
		patch: [() => slug.files],
	},
	{
		name: "cart: receipts go with their snapshot",
		project: cart,
		task: {
			description: "Remove receipt(), which nobody uses, and its tests.",
			drops: ['receipt([{ name: "tea", price: 105, quantity: 3 }], { country: "uk" })'],
			allow: [
				{ path: "test/cart.test.ts", change: "weaken", reason: "receipt() goes" },
				{ path: "test/__snapshots__/**", change: "delete", reason: "receipt() goes" },
			],
		},
		patch: [
			cutFrom("src/cart.ts", "\n/** A receipt as text"),
			cutFrom("test/cart.test.ts", '\ndescribe("receipt"'),
			replace("test/cart.test.ts", "receipt, ", ""),
			remove("test/__snapshots__/cart.test.ts.snap"),
		],
	},
	{
		name: "ledger: a function goes with its test",
		project: ledger,
		task: {
			description: "Remove show_cents() and its test.",
			drops: ["show_cents(-1)"],
			allow: [{ path: "tests/test_money.py", change: "weaken", reason: "show_cents() goes" }],
		},
		patch: [
			cutFrom("ledger/money.py", "\n\ndef show_cents"),
			cutFrom("tests/test_money.py", "\n\ndef test_cents_are_shown"),
			replace("tests/test_money.py", ", show_cents", ""),
			replace("ledger/__init__.py", "parse_cents, show_cents", "parse_cents"),
			replace("ledger/__init__.py", ', "show_cents"]', "]"),
		],
	},
	{
		name: "units: a function goes with its class of tests",
		project: units,
		task: {
			description: "Remove known() and its tests.",
			allow: [{ path: "tests/test_convert.py", change: "weaken", reason: "known() goes" }],
		},
		patch: [
			cutFrom("tests/test_convert.py", "\n\nclass KnownTest"),
			replace("tests/test_convert.py", "convert, known", "convert"),
			replace(
				"units/convert.py",
				'\ndef known():\n    """Names of all units."""\n    return sorted(FACTORS)\n\n',
				"",
			),
			replace("units/__init__.py", "convert, known", "convert"),
		],
	},
	{
		name: "stats: a verb goes with its cases",
		project: stats,
		task: {
			description: "Remove the verb max and its cases.",
			drops: Object.keys(stats.keeps).filter((text) => text.endsWith(" max")),
			adds: { "sh bin/stats.sh max </dev/null 2>&1": "unknown: max\n" },
			allow: [
				{ path: "test/cases.list", change: "edit", reason: "max goes" },
				{ path: "test/expected/max-*.txt", change: "delete", reason: "max goes" },
				{ path: "test/data/below.txt", change: "delete", reason: "max goes" },
			],
		},
		patch: [
			replace("bin/stats.sh", "count | sum | mean | max)", "count | sum | mean)"),
			replace("bin/stats.sh", "count|sum|mean|max", "count|sum|mean"),
			cutFrom("lib/verbs.sh", "max() {"),
			write("test/cases.list", "count few\nsum few\nmean few\nmean none\nwrong few\n"),
			remove("test/expected/max-few.txt"),
			remove("test/expected/max-below.txt"),
			remove("test/data/below.txt"),
		],
	},
];
