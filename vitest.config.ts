import { defineConfig } from "vitest/config";

/** What decides is pure, so that every branch of it can be tried. */
const PURE = [
	...["src/kernel/**", "src/workflow/expression/**", "src/review/**", "src/confidence/**"],
	...["src/conflict/**", "src/gate/**", "src/human/**", "src/loop/edges.ts"],
];

export default defineConfig({
	test: {
		include: ["src/**/*.test.ts", "test/**/*.test.ts"],
		exclude: ["test/slow/**", "test/agents/**", "test/sandbox/**"],
		// Most of a test's time is spent in child processes, so two at once suit two cores.
		maxWorkers: 2,
		// Many tests start real processes; a limit is for what hangs, not for a busy machine.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		coverage: {
			provider: "v8",
			include: ["src/**/*.ts"],
			exclude: ["src/**/*.test.ts", "src/**/*.contract.ts"],
			reporter: ["text-summary", "html"],
			thresholds: Object.fromEntries(PURE.map((glob) => [glob, { branches: 100 }])),
		},
	},
});
