import { defineConfig } from "vitest/config";
import { PATIENCE, SMALL_PROCESS, thoroughTests } from "./test/support/lanes.ts";

/** CI runs a sample with `SPAR_AMOUNT=sample`; without it each test tries all that it has. */
const isSample = process.env["SPAR_AMOUNT"] === "sample";

/**
 * The slow tests: real runs killed at random moments, attacks, overlays in all combinations, and each property with
 * all of its cases: `npm run test:kill`.
 */
export default defineConfig({
	test: {
		...PATIENCE,
		provide: { amount: isSample ? "sample" : "whole", share: 0 },
		setupFiles: ["test/support/properties.ts", "test/support/tidy-files.ts"],
		globalSetup: ["test/support/nothing-left.ts", "test/support/program.ts"],
		execArgv: SMALL_PROCESS,
		// Much of the time goes into waiting for other processes: two cores serve more than two.
		maxWorkers: 4,
		projects: [
			{ extends: true, test: { name: "slow", include: ["test/slow/**/*.test.ts"] } },
			...(isSample
				? []
				: [
						{
							extends: true as const,
							test: { name: "whole", include: thoroughTests(import.meta.dirname), isolate: false },
						},
					]),
		],
	},
});
