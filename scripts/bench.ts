// Measures what docs/benchmarks.md tells: `npm run bench`.
//
// Each line is a ratio against a floor of the same run, its target, and whether it is met. A missed target is told,
// and is no failure: timings depend on the machine. `--json FILE` writes the results, `--turns N` shortens the
// long run (1,000 by default), `--only` with masking, setup, suites, startup, repository, harnesses, team, machines, dashboard or turns measures that alone, and
// `--spots FILE` lists what it masks in files without secrets.
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildPackage, buildPage } from "../bench/build-package.ts";
import { measureDashboard } from "../bench/dashboard.ts";
import { measureWatchedRun } from "../bench/dashboard-run.ts";
import { measureHarnessCalls } from "../bench/harness-call.ts";
import { measureLargeRepository } from "../bench/large-repository.ts";
import { measureMachines } from "../bench/machines.ts";
import { maskCorpus, measureMasking } from "../bench/masking.ts";
import { describe, judge, type Measurement, type Verdict } from "../bench/measurement.ts";
import { countProcesses } from "../bench/process-count.ts";
import { measureSetup } from "../bench/setup-cost.ts";
import { measureStartup } from "../bench/startup.ts";
import { measureSuites } from "../bench/suites.ts";
import { measureTeams } from "../bench/team.ts";
import { measureTurns } from "../bench/turns.ts";
import { CHROMIUM } from "../test/browser/chromium.ts";
import { ProgramMissing, requireServers } from "../test/machines/support/servers.ts";

const { values } = parseArgs({
	options: {
		json: { type: "string" },
		turns: { type: "string", default: "1000" },
		only: { type: "string" },
		spots: { type: "string" },
	},
});
const turns = Number(values.turns);
if (!Number.isInteger(turns) || turns < 130) {
	process.stderr.write("bench: --turns takes a whole number of at least 130\n");
	process.exit(2);
}

const results: Verdict[] = [];

function tell(measurements: readonly Measurement[]): void {
	for (const verdict of measurements.map(judge)) {
		results.push(verdict);
		process.stdout.write(`${describe(verdict)}\n`);
	}
}

const { only } = values;

/** What is measured, in this order. */
const SUBJECTS: Readonly<Record<string, () => Promise<void>>> = {
	masking: () => {
		tell(measureMasking());
		const { files, megabytes, spots } = maskCorpus();
		process.stdout.write(
			`${spots.length} spots masked in ${files} files without secrets, ${megabytes.toFixed(0)} MB\n`,
		);
		if (values.spots !== undefined) writeFileSync(values.spots, `${spots.join("\n")}\n`);
		return Promise.resolve();
	},
	setup: async () => {
		buildPackage();
		tell(await measureSetup(process.env));
	},
	suites: async () => {
		buildPackage();
		tell(await measureSuites(process.env));
	},
	startup: async () => {
		buildPackage();
		tell(await measureStartup(process.env));
	},
	repository: async () => tell([await measureLargeRepository(process.env)]),
	harnesses: async () => {
		const missing = (name: string, reason: string): void => {
			process.stdout.write(`not measured  a call of ${name}: ${reason}\n`);
		};
		tell(await measureHarnessCalls(process.env, missing));
	},
	team: async () => {
		buildPackage();
		tell(await measureTeams(process.env, only === "team"));
	},
	machines: async () => {
		try {
			requireServers();
		} catch (error) {
			if (!(error instanceof ProgramMissing)) throw error;
			process.stdout.write(`not measured  several machines: ${error.message}\n`);
			return;
		}
		buildPackage();
		tell(await measureMachines(process.env));
	},
	dashboard: async () => {
		if (!existsSync(CHROMIUM)) {
			process.stdout.write(
				`not measured  the dashboard: ${CHROMIUM} is missing (Debian: chromium)\n`,
			);
			return;
		}
		buildPackage();
		buildPage();
		tell(await measureDashboard(process.env));
		tell([await measureWatchedRun(process.env)]);
	},
	turns: async () => {
		tell([await countProcesses(process.env)]);
		tell(await measureTurns(process.env, turns));
	},
};

if (only !== undefined && SUBJECTS[only] === undefined) {
	process.stderr.write(`bench: --only takes one of ${Object.keys(SUBJECTS).join(", ")}\n`);
	process.exit(2);
}

for (const [signal, code] of [
	["SIGINT", 130],
	["SIGTERM", 143],
] as const) {
	process.once(signal, () => process.exit(code));
}
const startedAt = performance.now();
for (const [subject, measure] of Object.entries(SUBJECTS)) {
	if (only === undefined || only === subject) await measure();
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
const met = results.filter((verdict) => verdict.met).length;
process.stdout.write(`${met} of ${results.length} targets met, in ${seconds} s\n`);
if (values.json !== undefined) {
	writeFileSync(values.json, `${JSON.stringify({ turns, results }, null, 2)}\n`);
}
