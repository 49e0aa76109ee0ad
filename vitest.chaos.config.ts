import { defineConfig } from "vitest/config";
import { PATIENCE, SMALL_PROCESS } from "./test/support/lanes.ts";

/** Many tasks at once, killed at random moments: `npm run test:chaos`. */
export default defineConfig({
	test: {
		include: ["test/chaos/**/*.test.ts"],
		...PATIENCE,
		testTimeout: 3_600_000,
		setupFiles: ["test/support/tidy-files.ts"],
		globalSetup: ["test/support/nothing-left.ts", "test/support/program.ts"],
		execArgv: SMALL_PROCESS,
		maxWorkers: 1,
	},
});
