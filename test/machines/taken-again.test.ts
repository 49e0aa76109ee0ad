import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jobsStoreOf } from "../../src/places/postgres-store.ts";
import { bossJobs } from "../../src/schedule/pg-boss/boss-jobs.ts";
import { connectPostgres, type Postgres } from "../../src/store/postgres/postgres.ts";
import { gatedTasks, isWaiting, refuse, shut } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

let site: Site;
let postgres: Postgres;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1", "t2"]), machines: ["one"] });
	postgres = await connectPostgres(site.store);
});
afterEach(async () => {
	await postgres.close();
	await site.remove();
});

/** Sends the job of a task, as if its worker had been killed before it could say that the job is done. */
async function sendAgain(runId: string, taskId: string): Promise<void> {
	const jobs = await bossJobs(jobsStoreOf(postgres), {
		supervises: false,
		onError: () => undefined,
	});
	await jobs.send({ queue: { kind: "task", tags: [] }, runId, taskId });
	await jobs.close();
}

const rows = (run: string) =>
	site.rows("SELECT status, turns FROM tasks WHERE run_id = $1 AND task_id = 't1'", run);

/** A run of which t1 has come to its end, while t2 waits. */
async function afterFirst(end: string): Promise<{
	readonly run: string;
	readonly again: () => Promise<void>;
}> {
	shut(site, "t2");
	const worker = await site.worker("one", 2);
	const run = site.begin();
	await worker.told(`t1 of run ${run}: rests`);
	await isWaiting(site, "t2");
	expect(await rows(run)).toMatchObject([{ status: end }]);
	const again = async (): Promise<void> => {
		const rests = worker.tells(`t1 of run ${run}: rests`);
		await sendAgain(run, "t1");
		await rests;
		expect(worker.said()).not.toContain("stopped");
	};
	return { run, again };
}

const callsOfFirst = (): number =>
	readFileSync(join(site.scratch, "calls"), "utf8")
		.split("\n")
		.filter((task) => task === "t1").length;

test("a task that is done, or that an error stopped, stays as it is when its job comes again", async () => {
	const { run, again } = await afterFirst("completed");
	const before = await rows(run);
	await again();
	expect(await rows(run)).toEqual(before);
	expect(await site.rows("SELECT 1 FROM steps WHERE step = 'stopped'")).toEqual([]);
	const stopped = JSON.stringify({ code: "git-failed", message: "stopped before", hint: null });
	await site.rows("UPDATE tasks SET status = 'running' WHERE task_id = 't1'");
	await site.rows("INSERT INTO steps VALUES ($1, 't1', 0, 'stopped', $2)", run, stopped);
	await again();
	expect(await rows(run)).toMatchObject([{ status: "running" }]);
	expect(callsOfFirst()).toBe(1);
});

test("a task that failed is not begun again when its job comes again", async () => {
	refuse(site, "t1");
	const { run, again } = await afterFirst("failed");
	const before = await rows(run);
	const calls = callsOfFirst();
	await again();
	expect(await rows(run)).toEqual(before);
	expect(callsOfFirst()).toBe(calls);
});
