import { defineConfig } from "vitest/config";

/** The slow tests, such as killing real runs at random moments and overlays in all combinations: `npm run test:kill`. */
export default defineConfig({
	test: {
		include: ["test/slow/**/*.test.ts"],
		maxWorkers: 2,
		testTimeout: 600_000,
		hookTimeout: 60_000,
	},
});
