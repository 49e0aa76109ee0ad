import { getRollbackPlans } from "pg-boss";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMachines } from "../../src/machines/open-machines.ts";
import { Site } from "./support/site.ts";

const WORKFLOW = `version: 1
name: w
agents:
  dev: { adapter: command, run: [sh, player.sh], tags: [never] }
tasks:
  one: { agent: dev, description: write a file, acceptance_criteria: [it is there] }
`;

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: { "sparring.yaml": WORKFLOW }, machines: [] });
	await site.rows("DROP SCHEMA sparring_jobs CASCADE");
});
afterEach(() => site.remove());

test("without the tables of the jobs nothing begins, and a migration says that it made them", async () => {
	const place = { directory: site.at("office"), env: site.env("office") };
	for (const args of [["run", "--detach", "--anyway"], ["worker"]]) {
		const started = site.start("office", args);
		expect(await started.ended).toBe(2);
		expect(started.said()).toContain("no tables of jobs in the schema");
		expect(started.said()).toContain("spar store migrate");
	}
	expect(site.atRemote("branch", "--list", "sparring/*")).toBe("");
	const machines = await openMachines(place);
	expect(await machines.migrateStore()).toEqual({ changed: true });
	expect(await machines.migrateStore()).toEqual({ changed: false });
	expect(site.begin()).not.toBe("");
});

test("tables of jobs that a newer version made are told, also by a migration and by doctor, and older ones are brought up", async () => {
	const place = { directory: site.at("office"), env: site.env("office") };
	const machines = await openMachines(place);
	await machines.migrateStore();
	const [row] = await site.rows("SELECT version FROM sparring_jobs.version");
	await site.rows("UPDATE sparring_jobs.version SET version = version + 1");
	for (const args of [["run", "--detach", "--anyway"], ["worker"], ["store", "migrate"]]) {
		const started = site.start("office", args);
		expect(await started.ended).toBe(2);
		expect(started.said()).toContain("were made by a newer Sparring");
	}
	const doctor = site.start("office", ["doctor", "--json"]);
	await doctor.ended;
	expect(doctor.said()).toContain("were made by a newer Sparring");
	const own = Number(row?.["version"]);
	await site.rows("UPDATE sparring_jobs.version SET version = $1", own);
	await site.rows(getRollbackPlans("sparring_jobs", own));
	const older = site.start("office", ["worker"]);
	expect(await older.ended).toBe(2);
	expect(older.said()).toContain("of an older version");
	expect(await machines.migrateStore()).toEqual({ changed: true });
	expect(site.begin()).not.toBe("");
});
