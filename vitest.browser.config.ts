import { defineConfig } from "vitest/config";
import { PATIENCE, SMALL_PROCESS } from "./test/support/lanes.ts";

/** The page of `spar ui` in a real browser: `npm run test:browser`, after `npm run build`. */
export default defineConfig({
	test: {
		include: ["test/browser/**/*.test.ts"],
		...PATIENCE,
		provide: { amount: "sample", share: 0 },
		setupFiles: ["test/support/properties.ts", "test/support/tidy-files.ts"],
		globalSetup: ["test/support/nothing-left.ts"],
		execArgv: SMALL_PROCESS,
		maxWorkers: 2,
	},
});
