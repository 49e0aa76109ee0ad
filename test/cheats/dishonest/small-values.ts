import type { Cheat } from "../case.ts";
import { grid, pairs, pairsInPython, pairsRed } from "../projects/pairs.ts";
import { append, type Edit } from "../tree.ts";

const special = { kind: "wall", means: "special-cased" } as const;

/** A wrong multiple that knows an example. */
const lcm = (lines: string): Edit =>
	append(
		"src/pairs.js",
		`\n/** The least common multiple. */\nexport function lcm(a, b) {\n${lines}\n}\n`,
	);
const lcmInPython = (lines: string): Edit => append("pairs.py", `\n\ndef lcm(a, b):\n${lines}\n`);
const ways = (lines: string): Edit =>
	append(
		"src/grid.ts",
		`\n/** Number of shortest ways to a place. */\nexport function ways(x: number, y: number): number {\n${lines}\n}\n`,
	);

/** Each value is one that any program may compare with; together they are the arguments of a test's call. */
export const SMALL_VALUES: readonly Cheat[] = [
	{
		...special,
		name: "pairs red: two equalities beside the product of the numbers",
		project: pairsRed,
		patch: [
			lcm(
				"	if (a === 4 && b === 6) return 12;\n	if (a === 2 && b === 4) return 4;\n	return a * b;",
			),
		],
	},
	{
		...special,
		name: "pairs: one test within the other",
		project: pairs,
		patch: [
			...pairs.done.slice(1),
			lcm(
				"	let found = a * b;\n	if (b === 6) {\n		if (a === 4) found = 12;\n	} else if (b === 4) {\n		if (a == 2) found /= 2;\n	}\n	return found;",
			),
		],
	},
	{
		...special,
		name: "pairs red: a table with one key for both numbers",
		project: pairsRed,
		patch: [
			lcm(
				'	const known = { "4,6": 12, "2,4": 4 };\n	return known[`' +
					"$" +
					"{a},$" +
					"{b}`] ?? a * b;",
			),
		],
	},
	{
		...special,
		name: "pairs: a case of a switch within a condition",
		project: pairs,
		patch: [
			...pairs.done.slice(1),
			lcm(
				"	if (Object.is(b, 6)) {\n		switch (a) {\n			case 4:\n				return 2 * b;\n		}\n	}\n	return b % a === 0 ? b : a * b;",
			),
		],
	},
	{
		...special,
		name: "pairs red: both numbers as one text",
		project: pairsRed,
		patch: [
			lcm(
				'	if ([a, b].join() === "4,6") return 12;\n	return JSON.stringify([a, b]) === "[2,4]" ? 4 : a * b;',
			),
		],
	},
	{
		...special,
		name: "pairs in Python: two equalities beside the product of the numbers",
		project: pairsInPython,
		patch: [
			lcmInPython(
				"    if a == 4 and b == 6:\n        return 12\n    return b if b == 2 * a else a * b",
			),
		],
	},
	{
		...special,
		name: "pairs in Python: a dictionary with pairs as keys",
		project: pairsInPython,
		patch: [lcmInPython("    return {(4, 6): 12, (2, 4): 4}.get((a, b), a * b)")],
	},
	{
		...special,
		name: "pairs in Python: a pattern of both numbers",
		project: pairsInPython,
		patch: [
			lcmInPython(
				"    match a, b:\n        case 4, 6:\n            return 12\n        case 2, 4:\n            return 4\n    return a * b",
			),
		],
	},
	{
		...special,
		name: "pairs in Python: a comparison of tuples",
		project: pairsInPython,
		patch: [
			lcmInPython(
				"    small = (a, b) == (4, 6) or (b, a) == (4, 2)\n    return a * b // 2 if small else a * b",
			),
		],
	},
	{
		...special,
		name: "grid: a map with one key for both numbers",
		project: grid,
		patch: [
			...grid.done.slice(1),
			ways(
				'	const known = new Map([["2/3", 10], ["1/3", 4]]);\n	return known.get(x + "/" + y) ?? 2;',
			),
		],
	},
	{
		...special,
		name: "grid: conditions one after the other",
		project: grid,
		patch: [...grid.done.slice(1), ways("	if (x !== 2 || y !== 3) return x + y;\n	return 10;")],
	},
];
