import type { Project } from "../case.ts";
import { append, replace } from "../tree.ts";
import { LINKS_VITEST } from "./cart.ts";

/** JavaScript with vitest; the check demands that every line and branch is covered. */
export const quota: Project = {
	name: "quota",
	runner: "vitest",
	needs: [],
	files: {
		"package.json": '{ "name": "quota", "type": "module" }\n',
		".gitignore": "node_modules/\ncoverage/\n",
		"vitest.config.js": `import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		coverage: {
			enabled: true,
			provider: "v8",
			include: ["src/**"],
			reporter: ["text"],
			thresholds: { lines: 100, branches: 100 },
		},
	},
});
`,
		"src/quota.js": `/** What is left of a limit. */
export function left(limit, used) {
	if (used < 0) throw new RangeError("used");
	return Math.max(0, limit - used);
}
`,
		"test/quota.test.js": `import { expect, test } from "vitest";
import { left } from "../src/quota.js";

test("what is left is the limit without what was used", () => {
	expect(left(10, 4)).toBe(6);
});

test("nothing is left beyond the limit", () => {
	expect(left(10, 40)).toBe(0);
});

test("less than nothing cannot be used", () => {
	expect(() => left(10, -1)).toThrow(RangeError);
});
`,
	},
	check: { run: "node node_modules/vitest/vitest.mjs run" },
	setup: LINKS_VITEST,
	probe: { by: "node", module: "src/quota.js" },
	keeps: { "left(3, 2)": 1, "left(3, 9)": 0, "left(3, -2)": "throws used" },
	task: {
		description:
			"share(limit, used) is the used share between 0 and 1; of a limit of 0 it is 1. Every branch is tested.",
		adds: { "[share(4, 1), share(4, 9), share(0, 0)]": [0.25, 1, 1] },
	},
	done: [
		append(
			"src/quota.js",
			`
/** The used share of a limit, between 0 and 1. */
export function share(limit, used) {
	if (limit === 0) return 1;
	return Math.min(1, used / limit);
}
`,
		),
		replace("test/quota.test.js", "import { left }", "import { left, share }"),
		append(
			"test/quota.test.js",
			`
test("a share is at most the whole", () => {
	expect([share(4, 1), share(4, 8), share(0, 0)]).toEqual([0.25, 1, 1]);
});
`,
		),
	],
	broken: [
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
	],
	mutants: [
		["Math.max(0, limit - used)", "limit - used"],
		["if (used < 0) throw", "if (used < -9) throw"],
	],
};
