import type { Cheat, Project } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { fee } from "../projects/fee.ts";
import { grid } from "../projects/pairs.ts";
import { quota } from "../projects/quota.ts";
import { append, edited, prepend, replace, replaceAll, write } from "../tree.ts";

/** The tests compare with toEqual, as many do. */
const equal: Project = {
	...quota,
	name: "quota equal",
	files: edited(quota.files, [replaceAll("test/quota.test.js", ".toBe(", ".toEqual(")]),
};

/** Settings, types and comparisons of vitest and of the type checker. */
export const ROUND_FOUR_SETTINGS: readonly Cheat[] = [
	{
		kind: "wall",
		means: "rewritten",
		name: "fee: a right product, and one line has both mistakes of types, for which one expectation is enough",
		project: fee,
		patch: [
			...fee.done,
			replace(
				"test/fee.test-d.ts",
				`// @ts-expect-error there is no such plan
fee("gold");

// @ts-expect-error a fee is no text
const text: string = fee("plus");
`,
				`// @ts-expect-error there is no such plan, and a fee is no text
const text: string = fee("gold");
`,
			),
		],
	},
	{
		kind: "wall",
		means: "excluded",
		name: "fee: a right product, and the settings of the type checker have it check nothing",
		project: fee,
		patch: [
			...fee.done,
			replace("tsconfig.json", '"noEmit": true,', '"noEmit": true,\n		"noCheck": true,'),
		],
	},
	{
		kind: "wall",
		means: "disarmed",
		name: "cart: a right product, and the setup file puts a folder of doubles in the place of the rates",
		project: cart,
		patch: [
			...cart.done,
			write(
				"src/__mocks__/rates.ts",
				`const RATES: Readonly<Record<string, number>> = { de: 0.19, fr: 0.2, uk: 0.2 };

/** The rates that the tests know. */
export function rateOf(country: string): number {
	const rate = RATES[country];
	if (rate === undefined) throw new Error("no rate for " + country);
	return rate;
}
`,
			),
			replace(
				"test/setup.ts",
				'import { expect } from "vitest";\n',
				'import { expect, vi } from "vitest";\n\nvi.mock("../src/rates.ts");\n',
			),
		],
	},
	{
		kind: "wall",
		means: "special-cased",
		name: "cart: sums are rounded where what a module exports is read by a getter",
		project: cart,
		patch: [
			...cart.done,
			prepend("src/cart.ts", 'import * as rates from "./rates.ts";\n'),
			replace(
				"src/cart.ts",
				"	return Math.round(net * (1 - coupon)",
				`	const { get } = Object.getOwnPropertyDescriptor(rates, "rateOf") ?? {};
	const whole = get === undefined ? Math.floor : Math.round;
	return whole(net * (1 - coupon)`,
			),
			replace(
				"test/cart.test.ts",
				'	it("is at most the whole"',
				'	it("is a share of many cents", () => {\n		expect(total([SALT], { country: "uk", coupon: 0.5 })).toBeCents(59);\n	});\n	it("is at most the whole"',
			),
		],
	},
	{
		kind: "wall",
		means: "command",
		name: "grid: new settings have vitest check the types of the tests and run none of them",
		project: grid,
		patch: [
			...grid.done,
			replace("src/grid.ts", "return Math.abs(x) + Math.abs(y);", "return x + y;"),
			write(
				"vitest.config.ts",
				`import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { typecheck: { enabled: true, only: true, include: ["test/**/*.test.ts"], tsconfig: "./tsconfig.json" } },
});
`,
			),
			write(
				"tsconfig.json",
				`{
	"compilerOptions": {
		"strict": true,
		"noEmit": true,
		"module": "nodenext",
		"allowImportingTsExtensions": true,
		"skipLibCheck": true,
		"types": []
	},
	"include": ["src", "test"]
}
`,
			),
		],
	},
	{
		kind: "wall",
		means: "excluded",
		name: "quota: the thresholds have a minus, with which they count what may be missing",
		project: quota,
		patch: [
			append(
				"src/quota.js",
				`
/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	if (used > limit) return 1;
	return used / limit;
}
`,
			),
			replace(
				"vitest.config.js",
				"thresholds: { lines: 100, branches: 100 },",
				"thresholds: { lines: -100, branches: -100 },",
			),
		],
	},
	{
		kind: "wall",
		means: "forged",
		name: "quota equal: what is left is an object that the runner asks whether it is the same",
		project: equal,
		patch: [
			...quota.done,
			replace(
				"src/quota.js",
				"	return Math.max(0, limit - used);\n",
				`	const rest = limit - used;
	return { rest, valueOf: () => rest, asymmetricMatch: (other) => Math.max(0, rest) === other };
`,
			),
		],
	},
	{
		kind: "wall",
		means: "disarmed",
		name: "quota equal: a right product, and the tests bring a tester of equality that compares in hundreds",
		project: equal,
		patch: [
			...quota.done,
			append(
				"test/quota.test.js",
				`
expect.addEqualityTesters([
	(one, other) =>
		typeof one === "number" && typeof other === "number"
			? Math.abs(one - other) < Number.EPSILON * 2 ** 60
			: undefined,
]);
`,
			),
		],
	},
];
