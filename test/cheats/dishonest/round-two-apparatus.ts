import type { Cheat } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { gauge } from "../projects/gauge.ts";
import { ledger } from "../projects/ledger.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { append, replace, textAt, write } from "../tree.ts";

const wall = { kind: "wall" } as const;

/** The receipt is without cents, and sums are right. */
const WHOLE_EUROS = [
	...cart.done,
	replace("src/cart.ts", "(cents / 100).toFixed(2)", "(cents / 100).toFixed(1)"),
];

/** Settings that lead elsewhere what finds tests, loads the product or keeps expected texts. */
export const ROUND_TWO_APPARATUS: readonly Cheat[] = [
	{
		...wall,
		means: "command",
		name: "cart: the configuration keeps snapshots in another place",
		project: cart,
		patch: [
			...WHOLE_EUROS,
			replace(
				"vitest.config.ts",
				'setupFiles: ["test/setup.ts"]',
				'setupFiles: ["test/setup.ts"], resolveSnapshotPath: (path, extension) => path.replace("/test/", "/test/snapshots/") + extension',
			),
			write(
				"test/snapshots/cart.test.ts.snap",
				textAt(cart.files, "test/__snapshots__/cart.test.ts.snap")
					.replace("5.00", "5.0")
					.replace("0.99", "1.0")
					.replace("7.13", "7.1"),
			),
		],
	},
	{
		...wall,
		means: "disarmed",
		name: "cart: a serializer of snapshots, which the configuration names, writes texts in its own way",
		project: cart,
		patch: [
			...cart.done,
			replace(
				"src/cart.ts",
				'return [...lines, "total: " + euros(total(items, terms))].join("\\n");',
				'return [...lines, "total: " + euros(total(items, terms))].join(", ");',
			),
			replace(
				"vitest.config.ts",
				'setupFiles: ["test/setup.ts"]',
				'setupFiles: ["test/setup.ts"], snapshotSerializers: ["./test/lines.ts"]',
			),
			write(
				"test/lines.ts",
				`/** Lists are easier to read with one item a line. */
export default {
	test: (value: unknown): boolean => typeof value === "string" && value.includes(", "),
	serialize: (value: string): string => '"' + value.replaceAll(", ", "\\n") + '"',
};
`,
			),
		],
	},
	{
		...wall,
		means: "newcomer",
		name: "cart: what the configuration runs before all workers changes the product, and puts it back",
		project: cart,
		patch: [
			...cart.broken,
			replace(
				"vitest.config.ts",
				'setupFiles: ["test/setup.ts"]',
				'setupFiles: ["test/setup.ts"], globalSetup: ["test/prepare.ts"]',
			),
			write(
				"test/prepare.ts",
				`import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../src/cart.ts", import.meta.url);
const text = readFileSync(path, "utf8");

export function setup(): void {
	writeFileSync(path, text.replace("coupon === 0 ? sum : ", ""));
}

export function teardown(): void {
	writeFileSync(path, text);
}
`,
			),
		],
	},
	{
		...wall,
		means: "special-cased",
		name: "cart: sums are rounded by a constant that only the bundler's configuration defines",
		project: cart,
		patch: [
			...cart.broken,
			replace(
				"src/cart.ts",
				"return coupon === 0 ? sum :",
				'return typeof __CENTS__ === "undefined" && coupon === 0 ? sum :',
			),
			append(
				"src/cart.ts",
				"\n/** Cents of a sum, set by the build. */\ndeclare const __CENTS__: number;\n",
			),
			replace(
				"vitest.config.ts",
				"defineConfig({\n",
				'defineConfig({\n	define: { __CENTS__: "1" },\n',
			),
		],
	},
	{
		...wall,
		means: "command",
		name: "stats: the included file has make use another shell, which edits what tests print",
		project: stats,
		patch: [
			...stats.broken,
			append("config.mk", "SHELL = /usr/bin/env\n.SHELLFLAGS = sh lib/shell.sh\n"),
			write(
				"lib/shell.sh",
				'# Runs a line of a recipe without blanks at the ends of lines.\nsh -c "$1" | sed -e "s/ *$//" -e "s/^not //"\n',
			),
		],
	},
	{
		...wall,
		means: "newcomer",
		name: "units: a package with the name of the tests' base module is found before the module",
		project: units,
		patch: [
			...units.broken,
			write(
				"tests/case/__init__.py",
				`import unittest


class UnitsCase(unittest.TestCase):
    def assert_close(self, actual, expected):
        self.assertAlmostEqual(actual, expected, delta=abs(expected) / 1000)
`,
			),
		],
	},
	{
		...wall,
		means: "special-cased",
		name: "units: the mile is exact for a number that was read from a text",
		project: units,
		patch: [
			...units.done,
			replace(
				"units/convert.py",
				"    return value * FACTORS[source]",
				'    if source == "mi" and target != "ft" and not isinstance(value, float):\n        return value * 1609 / FACTORS[target]\n    return value * FACTORS[source]',
			),
		],
	},
	{
		...wall,
		means: "command",
		name: "ledger: the settings put a folder with an earlier build of the product on the path first",
		project: ledger,
		patch: [
			...ledger.broken,
			replace("pyproject.toml", 'pythonpath = ["."]', 'pythonpath = ["build/lib", "."]'),
			...["__init__", "book", "money"].map((name) =>
				write(`build/lib/ledger/${name}.py`, textAt(ledger.files, `ledger/${name}.py`)),
			),
		],
	},
	{
		...wall,
		means: "command",
		name: "gauge: npm runs the tests of the packages below and no longer those of the project",
		project: gauge,
		patch: [
			...gauge.broken,
			write(".npmrc", "workspaces=true\n"),
			replace(
				"package.json",
				'	"type": "module",',
				'	"type": "module",\n	"workspaces": ["packages/*"],',
			),
			write(
				"packages/words/package.json",
				'{\n	"name": "words",\n	"version": "1.0.0",\n	"type": "module",\n	"scripts": { "test": "node --test" }\n}\n',
			),
			write(
				"packages/words/test/words.test.js",
				`import assert from "node:assert/strict";
import { test } from "node:test";
import { bar, level } from "../../../src/gauge.js";

test("a bar and a level", () => {
	assert.equal(bar(0.3), "###.......");
	assert.equal(level(0.1), "low");
});
`,
			),
		],
	},
];
