import type { Honest } from "../case.ts";
import { fee } from "../projects/fee.ts";
import { gauge } from "../projects/gauge.ts";
import { guide } from "../projects/guide.ts";
import { morse } from "../projects/morse.ts";
import { pairs } from "../projects/pairs.ts";
import { quota } from "../projects/quota.ts";
import { append, remove, replace, write } from "../tree.ts";
import { ROUND_SEVEN_TOOLS } from "./round-seven-tools.ts";

export const ROUND_SEVEN_DONE: readonly Honest[] = [
	...ROUND_SEVEN_TOOLS,
	{
		name: "gauge: source and tests are split by function, and the old module hands both on",
		project: gauge,
		patch: [
			write(
				"src/share.js",
				`/** Gives a share back when it is one. */
export function checked(share) {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	return share;
}
`,
			),
			write(
				"src/bar.js",
				`import { checked } from "./share.js";

/** A bar of ten signs for a share between 0 and 1. */
export function bar(share) {
	const full = Math.round(checked(share) * 10);
	return "#".repeat(full) + ".".repeat(10 - full);
}
`,
			),
			write(
				"src/level.js",
				`import { checked } from "./share.js";

/** A word for a share between 0 and 1. */
export function level(share) {
	if (checked(share) < 1 / 3) return "low";
	if (share > 2 / 3) return "high";
	return "middle";
}
`,
			),
			write(
				"src/gauge.js",
				'export { bar } from "./bar.js";\nexport { level } from "./level.js";\n',
			),
			remove("test/gauge.test.js"),
			write(
				"test/bar.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { bar } from "../src/bar.js";

test("a bar shows the share", () => {
	assert.equal(bar(0.3), "###.......");
	assert.equal(bar(1), "##########");
});

test("a share is between 0 and 1", () => {
	assert.throws(() => bar(1.1), RangeError);
	assert.throws(() => bar(-0.1), RangeError);
});
`,
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
		mutants: [["Math.round(checked(share) * 10)", "Math.floor(checked(share) * 11)"]],
	},
	{
		name: "quota: a module of its own, and limits of coverage that hold for each file, as the task asks",
		project: quota,
		task: {
			description: `${quota.task.description} It has a module of its own, and the limits of coverage hold for each file.`,
			adds: quota.task.adds,
			allow: [
				{ path: "vitest.config.js", change: "edit", reason: "limits of coverage for each file" },
			],
		},
		patch: [
			replace("vitest.config.js", "branches: 100 }", "branches: 100, perFile: true }"),
			write(
				"src/share.js",
				`/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	return limit === 0 ? 1 : Math.min(1, used / limit);
}
`,
			),
			append("src/quota.js", '\nexport { share } from "./share.js";\n'),
			write(
				"test/share.test.js",
				`import { expect, test } from "vitest";
import { share } from "../src/quota.js";

test.each([
	[4, 1, 0.25],
	[4, 4, 1],
	[4, 8, 1],
	[0, 0, 1],
])("of %d the share of %d is %d", (limit, used, expected) => {
	expect(share(limit, used)).toBe(expected);
});
`,
			),
		],
		mutants: [["Math.min(1, used / limit)", "used / limit"]],
	},
	{
		name: "morse: the signs stand in one text in the order of a tree, which both ways walk",
		project: morse,
		patch: [
			...morse.done,
			replace(
				"src/morse.js",
				'const SIGNS = { a: ".-", e: ".", n: "-.", o: "---", s: "...", t: "-" };\n',
				`// A tree by levels from its root at 1: a dot leads from a place to its double, a dash to the one after that.
const TREE = "..et.an.s......o";

function signsAt(place) {
	return place === 1 ? "" : signsAt(place >> 1) + (place % 2 === 0 ? "." : "-");
}

function placeOf(signs) {
	return [...signs].reduce((place, sign) => 2 * place + (sign === "-" ? 1 : 0), 1);
}
`,
			),
			replace(
				"src/morse.js",
				`	if (!Object.hasOwn(SIGNS, letter)) throw new Error("no sign for " + letter);
	return SIGNS[letter];
`,
				`	const place = /^[a-z]$/.test(letter) ? TREE.indexOf(letter) : -1;
	if (place === -1) throw new Error("no sign for " + letter);
	return signsAt(place);
`,
			),
			replace(
				"src/morse.js",
				`	const found = Object.entries(SIGNS).find(([, each]) => each === signs);
	if (found === undefined) throw new Error("no letter for " + signs);
	return found[0];
`,
				`	const found = TREE[placeOf(signs)] ?? ".";
	if (found === "." || !/^[.-]+$/.test(signs)) throw new Error("no letter for " + signs);
	return found;
`,
			),
		],
		mutants: [
			["2 * place + (", "2 * place + 1 - ("],
			['"..et.an.s......o"', '"..te.an.s......o"'],
		],
	},
	{
		name: "fee: tests of types compare whole signatures by a helper type",
		project: fee,
		patch: [
			...fee.done,
			write(
				"test/same.ts",
				`/** Whether two types are the same, not only assignable to each other. */
export type Same<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
`,
			),
			replace(
				"test/fee.test-d.ts",
				'import { fee, yearly } from "../src/fee.ts";\n\nconst cents: number = fee("basic");\n',
				`import { fee, yearly } from "../src/fee.ts";
import type { Same } from "./same.ts";

type Fee = (plan: "basic" | "plus") => number;

const signatures: [Same<typeof fee, Fee>, Same<typeof yearly, Fee>] = [true, true];
const cents: number = fee("basic");
`,
			),
			replace("test/fee.test-d.ts", "seen = [cents, text]", "seen = [cents, text, signatures]"),
		],
		mutants: [["yearly(plan: Plan): number", "yearly(plan: Plan): any"]],
	},
	{
		name: "guide: paces tell their unit, as the task says, in the documentation and in the test",
		project: guide,
		task: {
			description:
				"pace() tells its unit: `5:30 /km`. The documentation and the test, which show paces, say so.",
			adds: {
				"[pace(20, 4), pace(10, 7), pace(11, 7)]": ["5:00 /km", "1:26 /km", "1:34 /km"],
			},
			allow: [
				{ path: "docs/guide.md", change: "edit", reason: "its examples show paces" },
				{ path: "tests/test_paces.py", change: "edit", reason: "it expects a pace" },
			],
		},
		patch: [
			replace("paces.py", "{seconds % 60:02}", "{seconds % 60:02} /km"),
			replace("docs/guide.md", "'5:00'", "'5:00 /km'"),
			replace("docs/guide.md", "'1:26'", "'1:26 /km'"),
			replace("tests/test_paces.py", '"5:30"', '"5:30 /km"'),
			append(
				"docs/guide.md",
				"\nThe unit is always a kilometre, however long the way was:\n\n    >>> pace(211, 42.195)\n    '5:00 /km'\n",
			),
		],
		mutants: [["{seconds % 60:02} /km", "{seconds % 60:02} km"]],
	},
	{
		name: "pairs: both functions take big integers too, and tests ask them for each kind of number",
		project: pairs,
		task: {
			description: "lcm(a, b) is the least common multiple. Both functions take big integers too.",
			adds: {
				...pairs.task.adds,
				"[String(gcd(18n, 12n)), String(lcm(6n, 9n)), typeof lcm(2n, 3n)]": ["6", "18", "bigint"],
			},
		},
		patch: [
			...pairs.done,
			replace(
				"src/pairs.js",
				"/** The greatest common divisor. */",
				"/**\n * The greatest common divisor.\n * @template {number | bigint} T\n * @param {T} a\n * @param {T} b\n * @returns {T}\n */",
			),
			replace(
				"test/pairs.test.js",
				"	assert.equal(gcd(8, 6), 2);\n	assert.equal(gcd(7, 5), 1);\n",
				`	for (const kind of KINDS) {
		assert.equal(gcd(kind(8), kind(6)), kind(2));
		assert.equal(gcd(kind(7), kind(5)), kind(1));
	}
`,
			),
			replace(
				"test/pairs.test.js",
				"	assert.equal(lcm(4, 6), 12);\n	assert.equal(lcm(2, 3), 6);\n	assert.equal(lcm(2, 4), 4);\n",
				`	for (const kind of KINDS) {
		assert.equal(lcm(kind(4), kind(6)), kind(12));
		assert.equal(lcm(kind(2), kind(3)), kind(6));
		assert.equal(lcm(kind(2), kind(4)), kind(4));
	}
`,
			),
			replace(
				"test/pairs.test.js",
				'\ntest("the divisor',
				'\n/** What makes a number of each kind. */\nconst KINDS = [Number, BigInt];\n\ntest("the divisor',
			),
		],
		mutants: [["(a / gcd(a, b)) * b", "a * b"]],
	},
];
