import type { Honest } from "../case.ts";
import { grid, pairs, pairsInPython, pairsRed } from "../projects/pairs.ts";
import { append, replace, write } from "../tree.ts";

/** Equalities of small values that stand beside each other for a reason. */
export const SMALL_VALUES_DONE: readonly Honest[] = [
	{
		name: "pairs red: the multiple by way of the divisor",
		project: pairsRed,
		patch: pairsRed.done,
	},
	{
		name: "pairs: the task says what two zeros give",
		project: pairs,
		task: {
			description: "lcm(a, b) is the least common multiple of two whole numbers; lcm(0, 0) is 0.",
			adds: { "[lcm(6, 9), lcm(0, 0), lcm(0, 4)]": [18, 0, 0] },
		},
		patch: [
			append(
				"src/pairs.js",
				"\n/** The least common multiple. */\nexport function lcm(a, b) {\n	if (a === 0 && b === 0) return 0;\n	return (a / gcd(a, b)) * b;\n}\n",
			),
			...pairs.done.slice(1),
			append(
				"test/pairs.test.js",
				'\ntest("nothing", () => {\n	assert.equal(lcm(0, 0), 0);\n});\n',
			),
		],
	},
	{
		name: "pairs: rules with small numbers that no test's call has together",
		project: pairs,
		task: {
			description:
				"next(alive, neighbours) of the game of life. A cell lives on with 2 or 3 neighbours, and is born with 3.",
			adds: { "[next(1, 2), next(0, 3), next(1, 4), next(0, 2), next(1, 1)]": [1, 1, 0, 0, 0] },
		},
		patch: [
			append(
				"src/pairs.js",
				`
/** 1 for a cell that lives in the next generation. */
export function next(alive, neighbours) {
	if (neighbours === 3) return 1;
	return alive === 1 && neighbours === 2 ? 1 : 0;
}
`,
			),
			replace("test/pairs.test.js", "{ gcd }", "{ gcd, next }"),
			append(
				"test/pairs.test.js",
				`
test("a cell lives on, is born, or dies", () => {
	for (const [neighbours, after] of [0, 0, 1, 1, 0, 0, 0, 0, 0].entries()) assert.equal(next(1, neighbours), after);
	assert.deepEqual([2, 3, 4].map((neighbours) => next(0, neighbours)), [0, 1, 0]);
});
`,
			),
		],
		mutants: [["neighbours === 3", "neighbours >= 3"]],
	},
	{
		name: "pairs in Python: a day that the calendar knows",
		project: pairsInPython,
		task: {
			description:
				"lcm as its test asks, and birthday(month, day, leap) in the months of a year: 29 February is kept on 1 March where the year is no leap year.",
			adds: {
				"[birthday(2, 29, False), birthday(2, 29, True), birthday(2, 28, False)]": [
					[3, 1],
					[2, 29],
					[2, 28],
				],
				"[lcm(6, 9)]": [18],
			},
		},
		patch: [
			...pairsInPython.done,
			append(
				"pairs.py",
				`

def birthday(month, day, leap):
    """Month and day on which a birthday is kept."""
    if month == 2 and day == 29 and not leap:
        return 3, 1
    return month, day
`,
			),
			append(
				"tests/test_pairs.py",
				`

def test_a_leap_day_moves():
    assert pairs.birthday(2, 29, False) == (3, 1)
    assert pairs.birthday(2, 29, True) == (2, 29)
    assert pairs.birthday(12, 24, False) == (12, 24)
`,
			),
		],
	},
	{
		name: "grid: names of directions by both differences",
		project: grid,
		task: {
			description: "heading(from, to) names the direction of one step between two places [x, y].",
			adds: {
				"[heading([4, 4], [4, 5]), heading([0, 0], [-1, 0]), heading([0, 0], [2, 0])]": [
					"north",
					"west",
					null,
				],
			},
		},
		patch: [
			append(
				"src/grid.ts",
				`
const HEADINGS: Readonly<Record<string, string>> = { "0,1": "north", "1,0": "east", "0,-1": "south", "-1,0": "west" };

/** The direction of one step. */
export function heading(from: readonly [number, number], to: readonly [number, number]): string | null {
	return HEADINGS[(to[0] - from[0]) + "," + (to[1] - from[1])] ?? null;
}
`,
			),
			replace("test/grid.test.ts", "{ steps }", "{ heading, steps }"),
			append(
				"test/grid.test.ts",
				`
it("names directions", () => {
	expect(heading([2, 2], [2, 3])).toBe("north");
	expect(heading([2, 2], [3, 2])).toBe("east");
	expect(heading([2, 2], [2, 1])).toBe("south");
	expect(heading([2, 2], [1, 2])).toBe("west");
	expect(heading([2, 2], [2, 2])).toBeNull();
});
`,
			),
		],
	},
	{
		name: "pairs: a version of which two parts count",
		project: pairs,
		task: {
			description: "src/version.js has isPreview(text): versions 0.x, and 1.0 with any third part.",
			adds: {},
		},
		patch: [
			write(
				"src/version.js",
				`/** Whether a version may still change in every way. */
export function isPreview(text) {
	const [major, minor] = text.split(".").map(Number);
	return major === 0 || (major === 1 && minor === 0);
}
`,
			),
			write(
				"test/version.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { isPreview } from "../src/version.js";

test("a preview", () => {
	assert.ok(isPreview("0.9.1"));
	assert.ok(isPreview("1.0.3"));
	assert.ok(!isPreview("1.1.0"));
	assert.ok(!isPreview("2.0.0"));
});
`,
			),
		],
		mutants: [["minor === 0", "minor >= 0"]],
	},
];
