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
		expect(started.said()).toContain("no tables of jobs for this version");
		expect(started.said()).toContain("spar store migrate");
	}
	expect(site.atRemote("branch", "--list", "sparring/*")).toBe("");
	const machines = await openMachines(place);
	expect(await machines.migrateStore()).toEqual({ changed: true });
	expect(await machines.migrateStore()).toEqual({ changed: false });
	expect(site.begin()).not.toBe("");
});
