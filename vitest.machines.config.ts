import { defineConfig } from "vitest/config";
import { PATIENCE, SMALL_PROCESS } from "./test/support/lanes.ts";

/** Longer scenes, in which networks, machines and databases go away again and again; `SPAR_AMOUNT=sample` leaves them out. */
const LONG = [
	"cuts",
	"kills",
	"landing",
	"remote-*",
	"database-restart",
	"stopped-worker",
	"notifications",
	"unfit-machine",
	"refused-pushes",
	"pushed-work",
];
const isSample = process.env["SPAR_AMOUNT"] === "sample";

/** What several machines share, on a real Postgres and a real NATS server: `npm run test:machines`. */
export default defineConfig({
	test: {
		include: ["test/machines/**/*.test.ts"],
		exclude: isSample ? LONG.map((name) => `test/machines/${name}.test.ts`) : [],
		...PATIENCE,
		// No other lane tries the contracts here with all of their scenarios.
		provide: { amount: "whole", share: 0 },
		setupFiles: ["test/support/properties.ts", "test/support/tidy-files.ts"],
		globalSetup: ["test/support/nothing-left.ts", "test/support/program.ts"],
		execArgv: SMALL_PROCESS,
		// Most of the time goes into waiting for leases, pauses and agents.
		maxWorkers: 4,
	},
});
