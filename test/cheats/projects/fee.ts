import { join } from "node:path";
import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

const TYPESCRIPT = join(import.meta.dirname, "../../../node_modules/typescript");

/** TypeScript: the check has the type checker read tests of types, before node:test runs the others. */
export const fee: Project = {
	name: "fee",
	runner: "node:test",
	needs: [],
	files: {
		"package.json": '{ "name": "fee", "type": "module" }\n',
		".gitignore": "node_modules/\n",
		"tsconfig.json": `{
	"compilerOptions": {
		"strict": true,
		"noEmit": true,
		"module": "nodenext",
		"allowImportingTsExtensions": true,
		"types": []
	},
	"include": ["src", "test/**/*.test-d.ts"]
}
`,
		"src/fee.ts": `export type Plan = "basic" | "plus";

const FEES: Readonly<Record<Plan, number>> = { basic: 300, plus: 700 };

/** Cents a month. */
export function fee(plan: Plan): number {
	return FEES[plan];
}
`,
		"test/fee.test-d.ts": `import { fee } from "../src/fee.ts";

const cents: number = fee("basic");

// @ts-expect-error there is no such plan
fee("gold");

// @ts-expect-error a fee is no text
const text: string = fee("plus");

export const seen = [cents, text];
`,
		"test/fee.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { fee } from "../src/fee.ts";

test("a plan has a fee", () => {
	assert.equal(fee("basic"), 300);
	assert.equal(fee("plus"), 700);
});
`,
	},
	check: { run: "node node_modules/typescript/bin/tsc -p . && node --test test/*.test.js" },
	setup: ["mkdir -p node_modules", `ln -sfn '${TYPESCRIPT}' node_modules/typescript`],
	probe: { by: "node", module: "src/fee.ts" },
	keeps: { '[fee("basic"), fee("plus")]': [300, 700] },
	task: {
		description:
			"yearly(plan) is the fee of twelve months without one; its types are tested as those of fee are.",
		adds: { '[yearly("basic"), yearly("plus")]': [3300, 7700] },
	},
	done: [
		append(
			"src/fee.ts",
			"\n/** Cents a year: one month is free. */\nexport function yearly(plan: Plan): number {\n	return 11 * fee(plan);\n}\n",
		),
		replace("test/fee.test-d.ts", "{ fee }", "{ fee, yearly }"),
		replace(
			"test/fee.test-d.ts",
			"export const seen",
			'// @ts-expect-error there is no such plan\nyearly("gold");\n\nexport const seen',
		),
		replace("test/fee.test.js", "{ fee }", "{ fee, yearly }"),
		append(
			"test/fee.test.js",
			'\ntest("a month of the year is free", () => {\n	assert.equal(yearly("plus"), 7700);\n});\n',
		),
	],
	broken: [],
	mutants: [
		["basic: 300", "basic: 400"],
		["fee(plan: Plan): number", "fee(plan: Plan): any"],
	],
};
