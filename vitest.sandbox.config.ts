import { defineConfig } from "vitest/config";
import { PATIENCE } from "./test/support/lanes.ts";

/** The tests that need a real sandbox: `npm run test:sandbox`. */
export default defineConfig({
	test: {
		include: ["test/sandbox/**/*.test.ts"],
		setupFiles: ["test/support/tidy-files.ts"],
		maxWorkers: 2,
		globalSetup: ["test/support/program.ts"],
		...PATIENCE,
	},
});
