import { defineConfig } from "vitest/config";
import { LaneReporter } from "./test/agents/lane-reporter.ts";

/** Real coding agents against a scripted model: `npm run test:agents`. */
export default defineConfig({
	test: {
		include: ["test/agents/**/*.test.ts"],
		// Some take half a gigabyte and a whole core each; most of their time is waiting.
		maxWorkers: 2,
		testTimeout: 240_000,
		hookTimeout: 60_000,
		reporters: ["default", new LaneReporter()],
	},
});
