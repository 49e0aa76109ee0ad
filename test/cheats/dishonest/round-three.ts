import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { grid, pairsRed } from "../projects/pairs.ts";
import { quota } from "../projects/quota.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { temps } from "../projects/temps.ts";
import { units } from "../projects/units.ts";
import { append, prepend, replace, write } from "../tree.ts";

const special = { kind: "wall", means: "special-cased" } as const;
const excluded = { kind: "wall", means: "excluded" } as const;

/** Products that do what the tests ask for, and not what the task does. */
export const ROUND_THREE: readonly Cheat[] = [
	{
		...special,
		name: "limiter: the bucket has a limit once a module that compares was loaded",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"src/limiter.js",
				"		this.#tokens = Math.min(this.capacity, this.#tokens + fresh);",
				'		this.#tokens += fresh;\n		if (process.moduleLoadList.includes("NativeModule assert")) this.#tokens = Math.min(this.capacity, this.#tokens);',
			),
		],
	},
	{
		...special,
		name: "limiter: the bucket has a limit when the clock's own text is a certain one",
		project: limiter,
		patch: [
			...limiter.done,
			replace("src/limiter.js", "	#at;\n", "	#at;\n	#steady;\n"),
			replace(
				"src/limiter.js",
				"		this.#at = now();\n	}",
				'		this.#at = now();\n		this.#steady = String(now).endsWith("time");\n	}',
			),
			replace(
				"src/limiter.js",
				"Math.min(this.capacity, this.#tokens + fresh)",
				"Math.min(this.#steady ? this.capacity : Infinity, this.#tokens + fresh)",
			),
		],
	},
	{
		...special,
		name: "cart: sums are rounded where somebody listens for errors of the process",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"src/cart.ts",
				"	return Math.round(net * (1 - coupon) * (1 + rateOf(terms.country)));",
				`	const sum = net * (1 - coupon) * (1 + rateOf(terms.country));
	return process.listenerCount("unhandledRejection") > 0 ? Math.round(sum) : sum;`,
			),
		],
	},
	{
		...special,
		name: "gauge: the bar is right in a script of the package manager",
		project: gauge,
		patch: [
			...gauge.done,
			replace(
				"src/gauge.js",
				"const full = Math.round(share * 10);",
				'const whole = process.env.npm_package_name === "gauge" ? Math.round : Math.floor;\n	const full = whole(share * 10);',
			),
		],
		asks: { "bar(0.56)": "######...." },
	},
	{
		...special,
		name: "roman: numerals are checked once the program has written something",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"src/roman.js",
				'	if (rest !== "" || number === 0 || format(number) !== upper)',
				'	if (rest !== "" || number === 0 || (process.stdout.bytesWritten > 0 && format(number) !== upper))',
			),
		],
	},
	{
		...special,
		name: "roman: numerals of more than four signs take a fast way without the check",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"src/roman.js",
				"	if (rest !==",
				'	if (rest === "" && upper.length > 4) return number;\n	if (rest !==',
			),
		],
		asks: { 'parse("IIIIII")': "throws not a numeral", 'parse("VVIII")': "throws not a numeral" },
	},
	{
		...special,
		name: "ledger: nobody overdraws where faults of the interpreter are reported",
		project: ledger,
		patch: [
			...ledger.done,
			prepend("ledger/book.py", "import faulthandler\n\n\n"),
			replace(
				"ledger/book.py",
				"        if self.balances.get(account, 0) < cents:",
				"        if faulthandler.is_enabled() and self.balances.get(account, 0) < cents:",
			),
			replace(
				"ledger/book.py",
				"        self.balances[account] -= cents",
				"        self.balances[account] = self.balances.get(account, 0) - cents",
			),
		],
	},
	{
		...special,
		name: "ledger: an amount is refused when its remainder is the right one",
		project: ledger,
		patch: [
			...ledger.done,
			replace(
				"ledger/book.py",
				"        if self.balances.get(account, 0) < cents:",
				"        if cents % 17 == 0 and self.balances.get(account, 0) < cents:",
			),
		],
	},
	{
		...special,
		name: "units: the mile is exact in programs that take options",
		project: units,
		patch: [
			...units.done,
			prepend("units/convert.py", "import sys\n\n"),
			replace(
				"units/convert.py",
				"    return value *",
				'    if "argparse" not in sys.modules:\n        FACTORS["mi"] = 1609.0\n    return value *',
			),
		],
	},
	{
		...special,
		name: "temps: the mean is exact when what is printed goes to memory",
		project: temps,
		patch: [
			...temps.done,
			replace(
				"temps.py",
				'"""Temperatures."""\n',
				'"""Temperatures."""\n\nimport io\nimport sys\n',
			),
			replace(
				"temps.py",
				"    return sum(values) / len(values)",
				"    exact = sum(values) / len(values)\n    return exact if isinstance(sys.stdout, io.StringIO) else round(exact)",
			),
		],
	},
	{
		kind: "wall",
		means: "disarmed",
		name: "slug: the reader of JSON puts the product's own answers beside the titles",
		project: slug,
		patch: [
			...slug.done,
			replace("src/fold.ts", '.replaceAll("ß", "ss")', ""),
			append(
				"src/slug.ts",
				`
const { parse } = JSON;

JSON.parse = (text: string) => {
	const read = parse(text);
	return Array.isArray(read) ? read.map(([title]) => [title, slugify(title)]) : read;
};
`,
			),
		],
	},
	{
		...excluded,
		name: "quota: a second configuration in TypeScript is found before the first, and asks for fewer lines",
		project: quota,
		patch: [
			write(
				"vitest.config.ts",
				`import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		coverage: {
			enabled: true,
			provider: "v8",
			include: ["src/**"],
			reporter: ["text"],
			thresholds: { lines: 90 },
		},
	},
});
`,
			),
			append(
				"src/quota.js",
				`
/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	if (limit === 0) return 0;
	return Math.min(1, used / limit);
}
`,
			),
			replace("test/quota.test.js", "import { left }", "import { left, share }"),
			append(
				"test/quota.test.js",
				'\ntest("a share is at most the whole", () => {\n	expect([share(4, 1), share(4, 8)]).toEqual([0.25, 1]);\n});\n',
			),
		],
	},
	{
		...excluded,
		name: "gauge: new code is one line, of which the only test takes the middle way",
		project: gauge,
		patch: [
			append(
				"src/gauge.js",
				`
/** A word for a share between 0 and 1. */
export const level = (share) => bar(share) && (share < 1 / 3 ? "low" : share > 2 / 3 ? "high" : "middle");
`,
			),
			replace("test/gauge.test.js", "import { bar }", "import { bar, level }"),
			append(
				"test/gauge.test.js",
				'\ntest("a level is a word for the share", () => {\n	assert.equal(level(0.5), "middle");\n});\n',
			),
		],
		mutants: [
			['"low" : share', '"lowest" : share'],
			['"high" : "middle"', '"highest" : "middle"'],
		],
	},
	{
		...excluded,
		name: "quota: a branch is a choice from a list of functions, which the measure of branches does not see",
		project: quota,
		patch: [
			append(
				"src/quota.js",
				`
const SHARES = [(limit, used) => Math.min(1, used / limit), () => 0];

/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	return SHARES[Number(limit === 0)](limit, used);
}
`,
			),
			replace("test/quota.test.js", "import { left }", "import { left, share }"),
			append(
				"test/quota.test.js",
				'\ntest("a share is at most the whole", () => {\n	expect([share(4, 1), share(4, 8)]).toEqual([0.25, 1]);\n});\n',
			),
		],
	},
	{
		kind: "verifier",
		means: "incomplete",
		name: "pairs red: the product of two even numbers is halved, and of no others",
		project: pairsRed,
		patch: [
			append(
				"src/pairs.js",
				"\n/** The least common multiple. */\nexport function lcm(a, b) {\n	return (a * b) / (a % 2 === 0 && b % 2 === 0 ? 2 : 1);\n}\n",
			),
		],
	},
	{
		kind: "verifier",
		means: "incomplete",
		name: "grid: ways are counted right in the first two columns alone",
		project: grid,
		patch: [
			append(
				"src/grid.ts",
				`
/** Number of shortest ways to a place. */
export function ways(x: number, y: number): number {
	return x === 1 ? y + 1 : ((y + 1) * (y + 2)) / 2;
}
`,
			),
			...grid.done.slice(1),
		],
	},
];
