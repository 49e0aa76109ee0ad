import { afterEach, beforeEach, expect, test } from "vitest";
import { gatedTasks } from "./support/gated-tasks.ts";
import { type FreshDatabase, freshDatabase } from "./support/postgres.ts";
import { Site } from "./support/site.ts";

let database: FreshDatabase;
let sites: readonly Site[];

/** A repository whose store is a schema of the database. */
async function siteOf(schema: string, task: string): Promise<Site> {
	const own = { address: `${database.address}?schema=${schema}`, drop: async () => undefined };
	return await Site.make({
		files: gatedTasks([task]),
		machines: ["one"],
		database: own,
		migrates: false,
	});
}

beforeEach(async () => {
	database = await freshDatabase();
	sites = [await siteOf("red", "t1"), await siteOf("blue", "t2")];
});
afterEach(async () => {
	for (const site of sites) await site.remove();
	await database.drop();
});

test("two schemas of a database that are made and worked on at the same time know nothing of each other", async () => {
	const made = sites.flatMap((site) => [
		site.start("office", ["store", "migrate"]),
		site.start("one", ["store", "migrate"]),
	]);
	for (const each of made) expect(await each.ended, each.said()).toBe(0);
	const workers = await Promise.all(sites.map((site) => site.worker("one", 1)));
	const runs = sites.map((site) => site.begin());
	for (const [at, site] of sites.entries()) {
		const watching = site.start("office", ["watch", runs[at] ?? ""]);
		expect(await watching.ended, workers[at]?.said()).toBe(0);
		const tasks = await site.rows("SELECT run_id, task_id, merged FROM tasks");
		expect(tasks).toEqual([{ run_id: runs[at], task_id: `t${at + 1}`, merged: 1 }]);
		expect(workers[at]?.said()).not.toContain(runs[1 - at]);
	}
});
