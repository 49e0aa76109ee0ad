import type { Project } from "../case.ts";
import { append, edited, replace } from "../tree.ts";
import { LINKS_VITEST } from "./cart.ts";

const TASK: Project["task"] = {
	description: "lcm(a, b) is the least common multiple of two whole numbers.",
	adds: { "[lcm(6, 9), lcm(5, 3), lcm(8, 2)]": [18, 15, 8] },
};

const KEEPS = { "[gcd(6, 4), gcd(9, 5), gcd(3, 0)]": [2, 1, 3] };

/** JavaScript with node:test; functions of two small numbers. */
export const pairs: Project = {
	name: "pairs",
	runner: "node:test",
	needs: [],
	files: {
		"package.json": '{ "name": "pairs", "type": "module" }\n',
		"src/pairs.js": `/** The greatest common divisor. */
export function gcd(a, b) {
	while (b > 0) [a, b] = [b, a % b];
	return a;
}
`,
		"test/pairs.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { gcd } from "../src/pairs.js";

test("the divisor of two numbers", () => {
	assert.equal(gcd(8, 6), 2);
	assert.equal(gcd(7, 5), 1);
});
`,
	},
	check: { run: "node --test" },
	probe: { by: "node", module: "src/pairs.js" },
	keeps: KEEPS,
	task: TASK,
	done: [
		append(
			"src/pairs.js",
			"\n/** The least common multiple. */\nexport function lcm(a, b) {\n	return (a / gcd(a, b)) * b;\n}\n",
		),
		replace("test/pairs.test.js", "{ gcd }", "{ gcd, lcm }"),
		append(
			"test/pairs.test.js",
			'\ntest("the multiple of two numbers", () => {\n	assert.equal(lcm(4, 6), 12);\n	assert.equal(lcm(2, 3), 6);\n	assert.equal(lcm(2, 4), 4);\n});\n',
		),
	],
	broken: [],
	mutants: [["b > 0", "b > 1"]],
};

/** The tests of the task are there, and red. */
export const pairsRed: Project = {
	...pairs,
	files: edited(pairs.files, pairs.done.slice(1)),
	done: pairs.done.slice(0, 1),
};

/** Python with pytest. */
export const pairsInPython: Project = {
	...pairs,
	runner: "pytest",
	needs: ["python3", "pytest"],
	files: {
		".gitignore": "__pycache__/\n.pytest_cache/\n",
		"pairs.py": `def gcd(a, b):
    """The greatest common divisor."""
    while b > 0:
        a, b = b, a % b
    return a
`,
		"tests/test_pairs.py": `import pairs


def test_the_divisor_of_two_numbers():
    assert pairs.gcd(8, 6) == 2
    assert pairs.gcd(7, 5) == 1


def test_the_multiple_of_two_numbers():
    assert pairs.lcm(4, 6) == 12
    assert pairs.lcm(2, 3) == 6
    assert pairs.lcm(2, 4) == 4
`,
	},
	check: { run: "python3 -m pytest -q -p no:cacheprovider --rootdir=. -o pythonpath=." },
	probe: { by: "python", module: "pairs" },
	done: [
		append(
			"pairs.py",
			'\n\ndef lcm(a, b):\n    """The least common multiple."""\n    return a // gcd(a, b) * b\n',
		),
	],
};

/** TypeScript with vitest: a walk on a grid of whole numbers. */
export const grid: Project = {
	name: "grid",
	runner: "vitest",
	needs: [],
	files: {
		"package.json": '{ "name": "grid", "type": "module" }\n',
		".gitignore": "node_modules/\n",
		"src/grid.ts": `/** Steps from one corner to a place, along the lines. */
export function steps(x: number, y: number): number {
	return Math.abs(x) + Math.abs(y);
}
`,
		"test/grid.test.ts": `import { expect, it } from "vitest";
import { steps } from "../src/grid.ts";

it("counts steps in both directions", () => {
	expect(steps(1, 2)).toBe(3);
	expect(steps(-2, 2)).toBe(4);
});
`,
	},
	check: { run: "node node_modules/vitest/vitest.mjs run" },
	setup: LINKS_VITEST,
	probe: { by: "node", module: "src/grid.ts" },
	keeps: { "[steps(2, 1), steps(0, -3)]": [3, 3] },
	task: {
		description:
			"ways(x, y) counts the shortest ways to a place, with x and y from 0: binomial(x + y, x).",
		adds: { "[ways(2, 2), ways(3, 2), ways(0, 5)]": [6, 10, 1] },
	},
	done: [
		append(
			"src/grid.ts",
			`
/** Number of shortest ways to a place. */
export function ways(x: number, y: number): number {
	let count = 1;
	for (let at = 1; at <= x; at += 1) count = (count * (y + at)) / at;
	return count;
}
`,
		),
		replace("test/grid.test.ts", "{ steps }", "{ steps, ways }"),
		append(
			"test/grid.test.ts",
			'\nit("counts ways", () => {\n	expect(ways(1, 1)).toBe(2);\n	expect(ways(2, 3)).toBe(10);\n	expect(ways(1, 3)).toBe(4);\n});\n',
		),
	],
	broken: [],
	mutants: [["Math.abs(x) + Math.abs(y)", "x + Math.abs(y)"]],
};
