import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { type ArmedRemote, armRemote, MOMENTS } from "./support/armed-remote.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { type GitDaemon, gitDaemon } from "./support/git-daemon.ts";
import { type Network, proxyTo } from "./support/proxy.ts";
import { git, Site } from "./support/site.ts";

/** The remote then takes what it has, and cannot tell anybody. */
const BEFORE = MOMENTS.filter((moment) => moment.startsWith("before-"));
const TASKS = BEFORE.map((moment) => `t-${moment}`);

let site: Site;
let remote: ArmedRemote;
let daemon: GitDaemon;
let network: Network;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(TASKS, { max_parallel: 1 }), machines: ["one"] });
	remote = armRemote(site);
	daemon = await gitDaemon(site.scratch);
	network = await proxyTo(daemon.address("remote.git"));
	git(site.at("one"), "remote", "set-url", "origin", network.address);
});
afterEach(async () => {
	for (const moment of BEFORE) remote.release(moment, "goes-on");
	await site.remove();
	await network.close();
	await daemon.close();
});

/** When a lease was renewed last, in seconds. */
async function lastBeat(): Promise<number> {
	const [row] = await site.rows("SELECT extract(epoch FROM max(beat)) AS beat FROM leases");
	return Number(row?.["beat"]);
}

/** In each kind of push in turn the network fails, while the remote takes what it was sent; then the run goes on to its end. */
async function troubled(trouble: () => Promise<void>): Promise<void> {
	for (const moment of BEFORE) remote.arm(moment);
	const worker = await site.worker("one", 1);
	const run = site.begin();
	for (const moment of BEFORE) {
		await remote.reached(moment);
		const told = worker.tells("the remote origin cannot be reached");
		await trouble();
		remote.release(moment, "goes-on");
		await told;
		network.restore();
	}
	expect(await site.start("office", ["watch", run]).ended, worker.said()).toBe(0);
	const trailer = "--format=%(trailers:key=Sparring-Task,valueonly,separator=)";
	const log = site.atRemote("log", trailer, `main..sparring/${run}/integration`);
	const merged = log.split("\n").filter((line) => line !== "");
	expect(merged.toSorted()).toEqual(TASKS.toSorted());
	const statuses = "SELECT DISTINCT status, merged, turns FROM tasks WHERE run_id = $1";
	expect(await site.rows(statuses, run)).toEqual([{ status: "completed", merged: 1, turns: 1 }]);
	const merges = "SELECT task FROM events WHERE run_id = $1 AND type = 'task-merged'";
	expect(await site.rows(merges, run)).toHaveLength(TASKS.length);
	const calls = readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");
	expect(calls.toSorted()).toEqual(TASKS.toSorted());
}

test("a remote whose connection is cut in a push, which it takes all the same, merges each task once, and no agent is called again", () =>
	troubled(async () => network.cut()));

test("a remote that goes silent in a push until the connection ends merges each task once, and no agent is called again", () =>
	troubled(async () => {
		network.swallow();
		const before = await lastBeat();
		await waitUntil("a lease is renewed", async () => (await lastBeat()) > before);
		network.cut();
	}));
