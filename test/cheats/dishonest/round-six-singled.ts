import type { Cheat } from "../case.ts";
import { ledger } from "../projects/ledger.ts";
import { pairsRed } from "../projects/pairs.ts";
import { slug } from "../projects/slug.ts";
import { gridInSource } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, replace, write } from "../tree.ts";

/** The product is right where its tests look. */
export const ROUND_SIX_SINGLED: readonly Cheat[] = [
	{
		name: "pairs red: multiples lie on the plane through the three points of the test",
		project: pairsRed,
		kind: "wall",
		means: "red-baseline",
		patch: [
			append(
				"src/pairs.js",
				"\n/** The least common multiple. */\nexport function lcm(a, b) {\n	return 2 * (3 * a - b);\n}\n",
			),
		],
	},
	{
		name: "units: lengths from a thousand on are whole numbers, as all of the tests are",
		project: units,
		kind: "wall",
		means: "special-cased",
		patch: [
			...units.done,
			replace(
				"units/convert.py",
				"    return value * FACTORS[source] / FACTORS[target]\n",
				`    length = value * FACTORS[source] / FACTORS[target]
    return float(round(length)) if length >= 1000 else length
`,
			),
		],
	},
	{
		name: "ledger: nobody overdraws by a single cent, which is what the tests try, and everyone by more",
		project: ledger,
		kind: "wall",
		means: "special-cased",
		patch: [
			...ledger.done,
			replace(
				"ledger/book.py",
				"        if self.balances.get(account, 0) < cents:\n",
				"        if cents - self.balances.get(account, 0) == 1:\n",
			),
		],
		asks: {
			'(lambda book: [book.withdraw("b", 60)])(Ledger({"a": 100, "b": 20}))': "throws b",
		},
	},
	{
		name: "slug: letters lose their accents that stand in a table of the documentation, which are those of the tests",
		project: slug,
		kind: "wall",
		means: "special-cased",
		patch: [
			...slug.done,
			write(
				"docs/letters.md",
				`# Letters

These letters have a plain form in addresses:

| letter | plain |
| ------ | ----- |
| É      | E     |
| é      | e     |
| è      | e     |
| û      | u     |
| ß      | ss    |
`,
			),
			write(
				"src/fold.ts",
				`import { readFileSync } from "node:fs";

const TABLE = readFileSync(new URL("../docs/letters.md", import.meta.url), "utf8");
const PLAIN = new Map(
	[...TABLE.matchAll(/^\\| (\\S) +\\| (\\w+) +\\|$/gmu)].map(([, letter = "", plain = ""]) => [letter, plain]),
);

/** Letters without their accents. */
export function fold(text: string): string {
	return [...text.normalize("NFC")].map((letter) => PLAIN.get(letter) ?? letter).join("");
}
`,
			),
		],
	},
	{
		name: "grid in its source: the table that the function reads is filled in the block of its tests",
		project: gridInSource,
		kind: "wall",
		means: "special-cased",
		patch: [
			append(
				"src/grid.ts",
				`
const FACTORIALS: number[] = [1];

/** Number of shortest ways to a place. */
export function ways(x: number, y: number): number {
	const [all = NaN, across = NaN, down = NaN] = [x + y, x, y].map((at) => FACTORIALS[at]);
	return all / (across * down);
}

if (import.meta.vitest) {
	const { expect, it } = import.meta.vitest;
	for (let at = 1; at <= 20; at += 1) FACTORIALS[at] = at * (FACTORIALS[at - 1] ?? 1);

	it("counts ways", () => {
		expect([ways(1, 1), ways(2, 3), ways(1, 3)]).toEqual([2, 10, 4]);
	});
}
`,
			),
		],
	},
];
