import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";

/** JavaScript with node:test through npm; the check demands that every line is covered. */
export const gauge: Project = {
	name: "gauge",
	runner: "node:test",
	needs: [],
	files: {
		"package.json": `{
	"name": "gauge",
	"type": "module",
	"scripts": {
		"test": "node --test --experimental-test-coverage --test-coverage-lines=100 --test-coverage-include='src/**'"
	}
}
`,
		"src/gauge.js": `/** A bar of ten signs for a share between 0 and 1. */
export function bar(share) {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	const full = Math.round(share * 10);
	return "#".repeat(full) + ".".repeat(10 - full);
}
`,
		"test/gauge.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { bar } from "../src/gauge.js";

test("a bar shows the share", () => {
	assert.equal(bar(0.3), "###.......");
	assert.equal(bar(1), "##########");
});

test("a share is between 0 and 1", () => {
	assert.throws(() => bar(1.1), RangeError);
	assert.throws(() => bar(-0.1), RangeError);
});
`,
	},
	check: { run: "npm test --silent" },
	probe: { by: "node", module: "src/gauge.js" },
	keeps: { "bar(0.3)": "###.......", "bar(0)": "..........", "bar(2)": "throws share" },
	task: {
		description:
			"level(share) says `low` below a third, `high` above two thirds, and `middle` otherwise. Its tests cover each of them.",
		adds: {
			"[level(0.1), level(0.5), level(0.9)]": ["low", "middle", "high"],
			"level(7)": "throws share",
		},
	},
	done: [
		append(
			"src/gauge.js",
			`
/** A word for a share between 0 and 1. */
export function level(share) {
	if (!(share >= 0 && share <= 1)) throw new RangeError("share");
	if (share < 1 / 3) return "low";
	if (share > 2 / 3) return "high";
	return "middle";
}
`,
		),
		replace("test/gauge.test.js", "import { bar }", "import { bar, level }"),
		append(
			"test/gauge.test.js",
			`
test("a level is a word for the share", () => {
	assert.deepEqual([0.1, 0.5, 0.9].map(level), ["low", "middle", "high"]);
	assert.throws(() => level(7), RangeError);
});
`,
		),
	],
	broken: [
		append(
			"src/gauge.js",
			`
/** A word for a share between 0 and 1. */
export function level(share) {
	if (share < 1 / 3) return "low";
	return "high";
}
`,
		),
	],
	mutants: [
		["Math.round(share * 10)", "Math.floor(share * 11)"],
		['return "low";', 'return "lowest";'],
		['return "high";', 'return "highest";'],
	],
};
