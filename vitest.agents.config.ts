import { defineConfig } from "vitest/config";
import { LaneReporter } from "./test/agents/lane-reporter.ts";
import { PATIENCE } from "./test/support/lanes.ts";

/** Real coding agents against a scripted model: `npm run test:agents`. */
export default defineConfig({
	test: {
		include: ["test/agents/**/*.test.ts"],
		// Some take half a gigabyte and a whole core each; most of their time is waiting.
		maxWorkers: 2,
		...PATIENCE,
		reporters: ["default", new LaneReporter()],
	},
});
