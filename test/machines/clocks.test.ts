import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { Site, type Started } from "./support/site.ts";

const TEN_MINUTES = 600_000;
const AHEAD = { SPAR_TEST_CLOCK: String(TEN_MINUTES) };
const BEHIND = { SPAR_TEST_CLOCK: String(-TEN_MINUTES) };

const task = (agent: string) => ({
	agent,
	description: `write with ${agent}`,
	acceptance_criteria: ["the file is there"],
});

/** t1 can be done by anybody, t2 by nobody here. */
const FILES = gatedTasks([], {
	agents: {
		dev: { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"] },
		gpu: { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"], tags: ["gpu"] },
	},
	tasks: { t1: task("dev"), t2: task("gpu") },
});

let site: Site;
afterEach(() => site.remove());

/** How far a time in the store is from the database's clock, in seconds. */
async function secondsFromNow(sql: string): Promise<number> {
	const [row] = await site.rows(
		`SELECT extract(epoch FROM clock_timestamp() - (${sql})::timestamptz)::float AS seconds`,
	);
	return Number(row?.["seconds"]);
}

const SINCE = "SELECT result::json #>> '{}' FROM steps WHERE task_id = 't2' AND step = 'no-worker'";

async function looks(): Promise<number> {
	const [row] = await site.rows(
		"SELECT count(*) AS looks FROM sparring_jobs.job WHERE name = 'spar.schedule' AND state = 'completed'",
	);
	return Number(row?.["looks"]);
}

/** Starts a worker, and waits until it has looked at all runs. */
async function lookedAt(machine: string, env: NodeJS.ProcessEnv): Promise<Started> {
	const before = await looks();
	const worker = await site.worker(machine, 1, { env });
	while ((await looks()) === before) await delay(100);
	return worker;
}

const statusOf = (id: string) =>
	site.rows("SELECT status, merged FROM tasks WHERE task_id = $1", id);

test("clocks that are twenty minutes apart change neither who works on what nor when a person is asked", async () => {
	site = await Site.make({ files: FILES, machines: ["ahead", "behind"] });
	shut(site, "t1");
	const ahead = await site.worker("ahead", 1, { env: AHEAD });
	const run = site.begin();
	await isWaiting(site, "t1");
	const behind = await lookedAt("behind", BEHIND);
	const listed = (): unknown => JSON.parse(site.spar("office", "workers", "--json"));
	await expect.poll(listed).toMatchObject([
		{ host: "ahead", busy: 1 },
		{ host: "behind", busy: 0 },
	]);
	const LEASE =
		"SELECT to_timestamp(beat / 1000.0) AS beat FROM leases WHERE scope LIKE '%t1%' AND pid IS NOT NULL";
	expect(Math.abs(await secondsFromNow(LEASE))).toBeLessThan(30);
	expect(Math.abs(await secondsFromNow(SINCE))).toBeLessThan(120);
	rmSync(join(site.scratch, "shut/t1"));
	await ahead.told(`t1 of run ${run}: rests`);
	expect(await statusOf("t1")).toEqual([{ status: "completed", merged: 1 }]);
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
	await ahead.end();
	await behind.end();
	// Whoever looks now, only some seconds have passed.
	for (const [machine, env] of [
		["behind", BEHIND],
		["ahead", AHEAD],
	] as const) {
		const worker = await lookedAt(machine, env);
		expect(await statusOf("t2")).toEqual([{ status: "pending", merged: 0 }]);
		await worker.end();
	}
	// Ten minutes have passed on the database's clock: even for a worker whose clock is behind.
	await site.rows(
		"UPDATE steps SET result = to_json(clock_timestamp() - interval '10 minutes')::text WHERE step = 'no-worker'",
	);
	await lookedAt("behind", BEHIND);
	expect(await statusOf("t2")).toEqual([{ status: "failed", merged: 0 }]);
});
