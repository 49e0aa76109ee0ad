import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";
import { grid } from "./pairs.ts";

const KELVIN = `

def kelvin(celsius):
    """Kelvins of degrees of Celsius.

    >>> kelvin(0)
    273.15
    >>> kelvin(-300)
    Traceback (most recent call last):
    ValueError: below absolute zero
    """
    if celsius < -273.15:
        raise ValueError("below absolute zero")
    return celsius + 273.15
`;

/** Python with doctest: the tests are examples in the product's own texts. */
export const temps: Project = {
	name: "temps",
	runner: "own",
	needs: ["python3"],
	files: {
		".gitignore": "__pycache__/\n",
		"temps.py": `"""Temperatures."""


def fahrenheit(celsius):
    """Degrees of Fahrenheit.

    >>> fahrenheit(100)
    212.0
    >>> fahrenheit(-40)
    -40.0
    """
    return celsius * 9 / 5 + 32


def mean(values):
    """The mean of some temperatures.

    >>> mean([1, 2])
    1.5
    >>> mean([])
    Traceback (most recent call last):
    ValueError: no values
    """
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)
`,
	},
	check: { run: "python3 -m doctest -v temps.py", report: { format: "exit" } },
	probe: { by: "python", module: "temps" },
	keeps: {
		"[fahrenheit(0), fahrenheit(50)]": [32, 122],
		"mean([3, 4])": 3.5,
		"mean([])": "throws no values",
	},
	task: {
		description:
			"kelvin(celsius) adds 273.15; below absolute zero it is a ValueError `below absolute zero`. Examples in its docstring show both.",
		adds: { "kelvin(1)": 274.15, "kelvin(-280)": "throws below absolute zero" },
	},
	done: [append("temps.py", KELVIN)],
	broken: [append("temps.py", KELVIN), replace("temps.py", "/ len(values)", "// len(values)")],
	mutants: [
		["celsius * 9 / 5 + 32", "celsius * 2 + 30"],
		["/ len(values)", "// len(values)"],
		['raise ValueError("no values")', "return 0"],
	],
};

/** TypeScript with vitest: the tests stand in the product's own file. */
export const gridInSource: Project = {
	...grid,
	files: {
		"package.json": '{ "name": "grid", "type": "module" }\n',
		".gitignore": "node_modules/\n",
		"vitest.config.js": `import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: [], includeSource: ["src/**/*.ts"] } });
`,
		"src/grid.ts": `/** Steps from one corner to a place, along the lines. */
export function steps(x: number, y: number): number {
	return Math.abs(x) + Math.abs(y);
}

if (import.meta.vitest) {
	const { expect, it } = import.meta.vitest;

	it("counts steps in both directions", () => {
		expect(steps(1, 2)).toBe(3);
		expect(steps(-2, 2)).toBe(4);
	});
}
`,
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

if (import.meta.vitest) {
	const { expect, it } = import.meta.vitest;

	it("counts ways", () => {
		expect([ways(1, 1), ways(2, 3), ways(1, 3)]).toEqual([2, 10, 4]);
	});
}
`,
		),
	],
};
