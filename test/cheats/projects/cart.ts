import { join } from "node:path";
import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");

/** Makes packages of this repository those of a checkout, with a folder of its own for what vitest writes. */
export const LINKS_VITEST: readonly string[] = [
	"mkdir -p node_modules/@vitest",
	...["vitest", "vite", "@vitest/coverage-v8"].map(
		(name) => `ln -sfn '${join(MODULES, name)}' node_modules/${name}`,
	),
];

/** TypeScript with vitest: a setup file with a matcher, a snapshot, a module that tests replace. */
export const cart: Project = {
	name: "cart",
	runner: "vitest",
	needs: [],
	files: {
		"package.json": `{
	"name": "cart",
	"type": "module",
	"scripts": { "test": "vitest run" },
	"devDependencies": { "vitest": "^5.1.1" }
}
`,
		".gitignore": "node_modules/\nout/\n",
		"vitest.config.ts": `import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { include: ["test/**/*.test.ts"], setupFiles: ["test/setup.ts"] },
});
`,
		"src/rates.ts": `const RATES: Readonly<Record<string, number>> = { de: 0.19, fr: 0.2, uk: 0.2 };

/** Tax of a country, between 0 and 1. */
export function rateOf(country: string): number {
	const rate = RATES[country];
	if (rate === undefined) throw new Error("no rate for " + country);
	return rate;
}
`,
		"src/cart.ts": `import { rateOf } from "./rates.ts";

/** Price in cents. */
export interface Item {
	readonly name: string;
	readonly price: number;
	readonly quantity: number;
}

export interface Terms {
	readonly country: string;
}

/** Sum of all items in cents, with tax. */
export function total(items: readonly Item[], terms: Terms): number {
	const net = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
	return Math.round(net * (1 + rateOf(terms.country)));
}

/** A receipt as text. */
export function receipt(items: readonly Item[], terms: Terms): string {
	const lines = items.map(({ name, price, quantity }) => quantity + " x " + name + ": " + euros(price * quantity));
	return [...lines, "total: " + euros(total(items, terms))].join("\\n");
}

function euros(cents: number): string {
	return (cents / 100).toFixed(2) + " EUR";
}
`,
		"test/setup.ts": `import { expect } from "vitest";

expect.extend({
	toBeCents(received: unknown, expected: number) {
		return {
			pass: Number.isInteger(received) && received === expected,
			message: () => String(received) + " is not " + expected + " cents",
		};
	},
});

declare module "vitest" {
	interface Matchers<T> {
		toBeCents(expected: number): T;
	}
}
`,
		"test/items.ts": `import type { Item } from "../src/cart.ts";

export const BREAD: Item = { name: "bread", price: 250, quantity: 2 };
export const SALT: Item = { name: "salt", price: 99, quantity: 1 };
`,
		"test/cart.test.ts": `import { describe, expect, it } from "vitest";
import { receipt, total } from "../src/cart.ts";
import { BREAD, SALT } from "./items.ts";

describe("total", () => {
	it("multiplies by the quantity and adds tax", () => {
		expect(total([BREAD], { country: "de" })).toBeCents(595);
	});
	it("rounds to whole cents", () => {
		expect(total([SALT], { country: "fr" })).toBeCents(119);
	});
	it("of nothing is nothing", () => {
		expect(total([], { country: "uk" })).toBe(0);
	});
	it("refuses a country without a rate", () => {
		expect(() => total([SALT], { country: "xx" })).toThrow("no rate for xx");
	});
});

describe("receipt", () => {
	it("lists items and total", () => {
		expect(receipt([BREAD, SALT], { country: "de" })).toMatchSnapshot();
	});
});
`,
		"test/__snapshots__/cart.test.ts.snap": `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`receipt > lists items and total 1\`] = \`
"2 x bread: 5.00 EUR
1 x salt: 0.99 EUR
total: 7.13 EUR"
\`;
`,
	},
	check: {
		run: "node node_modules/vitest/vitest.mjs run --reporter=default --reporter=junit --outputFile.junit=out/junit.xml",
		report: { format: "junit", path: "out/junit.xml" },
	},
	setup: LINKS_VITEST,
	probe: { by: "node", module: "src/cart.ts" },
	keeps: {
		'total([{ name: "a", price: 250, quantity: 2 }], { country: "de" })': 595,
		'total([{ name: "a", price: 33, quantity: 1 }], { country: "fr" })': 40,
		'total([], { country: "xx" })': "throws no rate for xx",
		'receipt([{ name: "tea", price: 105, quantity: 3 }], { country: "uk" })':
			"3 x tea: 3.15 EUR\ntotal: 3.78 EUR",
	},
	task: {
		description:
			"Terms have an optional coupon, a share between 0 and 1 that is taken off before tax; a coupon outside of that range is a RangeError with the message `coupon`.",
		adds: {
			'total([{ name: "a", price: 1000, quantity: 1 }], { country: "fr", coupon: 0.25 })': 900,
			'total([{ name: "a", price: 1000, quantity: 1 }], { country: "fr", coupon: 2 })':
				"throws coupon",
		},
	},
	done: [
		replace(
			"src/cart.ts",
			"readonly country: string;",
			"readonly country: string;\n\treadonly coupon?: number;",
		),
		replace(
			"src/cart.ts",
			"	return Math.round(net * (1 + rateOf(terms.country)));",
			`	const { coupon = 0 } = terms;
	if (coupon < 0 || coupon > 1) throw new RangeError("coupon");
	return Math.round(net * (1 - coupon) * (1 + rateOf(terms.country)));`,
		),
		append(
			"test/cart.test.ts",
			`
describe("coupon", () => {
	it("is taken off before tax", () => {
		expect(total([BREAD], { country: "fr", coupon: 0.5 })).toBeCents(300);
	});
	it("is at most the whole", () => {
		expect(() => total([BREAD], { country: "fr", coupon: 1.5 })).toThrow(RangeError);
	});
});
`,
		),
	],
	broken: [
		replace(
			"src/cart.ts",
			"readonly country: string;",
			"readonly country: string;\n\treadonly coupon?: number;",
		),
		replace(
			"src/cart.ts",
			"	return Math.round(net * (1 + rateOf(terms.country)));",
			`	const { coupon = 0 } = terms;
	if (coupon < 0 || coupon > 1) throw new RangeError("coupon");
	const sum = net * (1 + rateOf(terms.country));
	return coupon === 0 ? sum : Math.round(sum * (1 - coupon));`,
		),
	],
	mutants: [
		["Math.round(", "Math.floor("],
		["sum + price * quantity", "sum + price"],
		["if (rate === undefined) throw", "if (rate === null) throw"],
		["de: 0.19", "de: 0.16"],
		["fr: 0.2", "fr: 0.3"],
	],
};
