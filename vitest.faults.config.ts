import { defineConfig } from "vitest/config";

/** Random faults at random moments of real runs: `npm run test:faults`. */
export default defineConfig({
	test: {
		include: ["test/faults/**/*.test.ts"],
		maxWorkers: 2,
		testTimeout: 1_200_000,
		hookTimeout: 60_000,
		globalSetup: ["test/support/program.ts"],
	},
});
