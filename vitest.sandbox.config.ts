import { defineConfig } from "vitest/config";

/** The tests that need a real sandbox: `npm run test:sandbox`. */
export default defineConfig({
	test: {
		include: ["test/sandbox/**/*.test.ts"],
		setupFiles: ["test/support/tidy-files.ts"],
		maxWorkers: 2,
		globalSetup: ["test/support/program.ts"],
		testTimeout: 120_000,
		hookTimeout: 60_000,
	},
});
