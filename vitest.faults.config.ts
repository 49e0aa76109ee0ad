import { defineConfig } from "vitest/config";
import { PATIENCE } from "./test/support/lanes.ts";

/** Random faults at random moments of real runs: `npm run test:faults`. */
export default defineConfig({
	test: {
		include: ["test/faults/**/*.test.ts"],
		maxWorkers: 2,
		...PATIENCE,
		globalSetup: ["test/support/program.ts"],
	},
});
