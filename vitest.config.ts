import { defineConfig } from "vitest/config";
import { MOCKED, OTHER_SUITES, PATIENCE, pureTests, SMALL_PROCESS } from "./test/support/lanes.ts";

/** What decides is pure, so that every branch of it can be tried. */
const PURE_ROOMS = [
	...["src/kernel/**", "src/workflow/expression/**", "src/review/**", "src/confidence/**"],
	...["src/conflict/**", "src/gate/**", "src/human/**", "src/loop/edges.ts"],
];

/** Tests that no process and no file of another can disturb share threads and modules. */
const pure = pureTests(import.meta.dirname);

export default defineConfig({
	test: {
		...PATIENCE,
		// The same in each run, so that a change does not wait for luck.
		provide: { amount: "sample", share: process.env["CI"] === "true" ? 16 : 0 },
		setupFiles: ["test/support/properties.ts", "test/support/tidy-files.ts"],
		globalSetup: ["test/support/nothing-left.ts", "test/support/program.ts"],
		projects: [
			{
				extends: true,
				test: {
					name: "pure",
					include: pure,
					pool: "threads",
					isolate: false,
					maxWorkers: 2,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "mocked",
					include: [...MOCKED],
					pool: "forks",
					execArgv: SMALL_PROCESS,
					isolate: true,
					sequence: { groupOrder: 2 },
				},
			},
			{
				extends: true,
				test: {
					name: "real",
					include: ["src/**/*.test.ts", "test/**/*.test.ts"],
					exclude: [...OTHER_SUITES, ...pure, ...MOCKED],
					pool: "forks",
					execArgv: SMALL_PROCESS,
					// A file finds the modules that another one has loaded; LangGraph alone costs each a second.
					isolate: false,
					// Much of the time goes into waiting for other processes: two cores serve more than two.
					maxWorkers: 3,
					sequence: { groupOrder: 1 },
				},
			},
		],
		coverage: {
			provider: "v8",
			include: ["src/**/*.ts"],
			exclude: ["src/**/*.test.ts", "src/**/*.contract.ts", "src/**/*.fixture.ts"],
			reporter: ["text-summary", "html"],
			thresholds: Object.fromEntries(PURE_ROOMS.map((glob) => [glob, { branches: 100 }])),
		},
	},
});
