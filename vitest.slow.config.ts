import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { SMALL_PROCESS } from "./test/support/lanes.ts";

/** Tests that try more cases, or a larger input, where there is time for it. */
const withAmounts = globSync(["src/**/*.test.ts", "test/*.test.ts", "test/acceptance/*.test.ts"], {
	cwd: import.meta.dirname,
}).filter((file) => /from "fast-check"|support\/amount\.ts"/.test(readFileSync(file, "utf8")));

/** CI runs a sample with `SPAR_AMOUNT=sample`; without it each test tries all that it has. */
const isSample = process.env["SPAR_AMOUNT"] === "sample";

/**
 * The slow tests: real runs killed at random moments, attacks, overlays in all combinations, and each property with
 * all of its cases: `npm run test:kill`.
 */
export default defineConfig({
	test: {
		testTimeout: 600_000,
		hookTimeout: 60_000,
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
							test: { name: "whole", include: withAmounts, isolate: false },
						},
					]),
		],
	},
});
