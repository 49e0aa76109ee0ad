import { defineConfig } from "vitest/config";

/** The slow tests, such as killing real runs at random moments: `npm run test:kill`. */
export default defineConfig({
	test: {
		include: ["test/slow/**/*.test.ts"],
		testTimeout: 600_000,
		hookTimeout: 60_000,
	},
});
