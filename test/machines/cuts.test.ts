import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ArmedRemote, armRemote, MOMENTS, type Moment } from "./support/armed-remote.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { type Network, proxyTo } from "./support/proxy.ts";
import { Site, type Started } from "./support/site.ts";

const TASKS = MOMENTS.map((moment) => `t-${moment}`);

let site: Site;
let remote: ArmedRemote;
let proxy: Network;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(TASKS, { max_parallel: 1 }), machines: ["one"] });
	remote = armRemote(site);
	proxy = await proxyTo(site.store);
});
afterEach(async () => {
	await site.remove();
	await proxy.close();
});

const mergedTasks = (run: string): readonly string[] =>
	site
		.atRemote(
			"log",
			"--format=%(trailers:key=Sparring-Task,valueonly,separator=)",
			`main..sparring/${run}/integration`,
		)
		.split("\n")
		.filter((line) => line !== "");

/** Brings a trouble at each moment of a push in turn, and follows the run to its end. */
async function troubled(
	trouble: (moment: Moment, worker: Started) => Promise<void>,
): Promise<Started> {
	for (const moment of MOMENTS) remote.arm(moment);
	const worker = await site.worker("one", 1, { env: { SPAR_STORE: proxy.address } });
	const run = site.begin();
	for (const moment of MOMENTS) {
		await remote.reached(moment);
		await trouble(moment, worker);
	}
	expect(await site.start("office", ["watch", run]).ended, worker.said()).toBe(0);
	expect(mergedTasks(run).toSorted()).toEqual(TASKS.toSorted());
	expect(
		await site.rows("SELECT DISTINCT status, merged, turns FROM tasks WHERE run_id = $1", run),
		worker.said(),
	).toEqual([{ status: "completed", merged: 1, turns: 1 }]);
	const merges = "SELECT task FROM events WHERE run_id = $1 AND type = 'task-merged'";
	expect(await site.rows(merges, run)).toHaveLength(TASKS.length);
	return worker;
}

const calls = (): readonly string[] =>
	readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");

test("a push that is cut at any moment is made good, and no agent is called again", async () => {
	await troubled(async (moment) => remote.release(moment, "cut"));
	expect(calls().toSorted()).toEqual(TASKS.toSorted());
});

test("a database that is cut off at any moment of a push is waited for, and no agent is called again", async () => {
	await troubled(async (moment, worker) => {
		proxy.cut();
		remote.release(moment, "goes-on");
		await worker.tells("did not do what it was asked");
		proxy.restore();
	});
	expect(calls().toSorted()).toEqual(TASKS.toSorted());
});

test("a database that swallows everything at any moment of a push is waited for, and no agent is called again", async () => {
	await troubled(async (moment, worker) => {
		proxy.swallow();
		remote.release(moment, "goes-on");
		await worker.tells("did not do what it was asked");
		proxy.restore();
	});
	expect(calls().toSorted()).toEqual(TASKS.toSorted());
});
