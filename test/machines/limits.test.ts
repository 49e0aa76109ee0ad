import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

let site: Site;
afterEach(() => site.remove());

/** Looks until something holds. */
const until = (what: string, holds: () => boolean | Promise<boolean>): Promise<boolean> =>
	vi.waitUntil(holds, { timeout: 60_000 }).catch((error: unknown) => {
		throw new Error(what, { cause: error });
	});

const calls = (): readonly string[] =>
	readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");

const open = (task: string): void => rmSync(join(site.scratch, "shut", task));

test("an agent with one place is called once at a time, whichever machine calls it", async () => {
	const dev = { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"], max_parallel: 1 };
	const files = gatedTasks(["t1", "t2"], { agents: { dev } });
	site = await Site.make({ files, machines: ["one", "two"] });
	for (const task of ["t1", "t2"]) shut(site, task);
	const workers = [await site.worker("one", 1), await site.worker("two", 1)];
	const run = site.begin();
	const queued = (): Promise<readonly unknown[]> =>
		site.rows("SELECT task FROM events WHERE run_id = $1 AND type = 'call-queued'", run);
	await until("the second call waits", async () => (await queued()).length > 0);
	const [first = ""] = calls();
	const other = first === "t1" ? "t2" : "t1";
	await isWaiting(site, first);
	expect(calls()).toEqual([first]);
	expect(await queued()).toEqual([{ task: other }]);
	open(first);
	await isWaiting(site, other);
	expect(calls()).toEqual([first, other]);
	open(other);
	for (const task of ["t1", "t2"])
		await until(`${task} is done`, () =>
			workers.some((worker) => worker.said().includes(`${task} of run ${run}: rests`)),
		);
	expect(calls()).toEqual([first, other]);
	expect(await site.rows("SELECT 1 FROM calls_under_way")).toEqual([]);
});

test("a task that works for longer than a job may last goes on, and its job is taken in vain meanwhile", async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one", "two"] });
	shut(site, "t1");
	const worker = await site.worker("one", 1);
	const run = site.begin();
	await isWaiting(site, "t1");
	await site.worker("two", 1);
	const job = "FROM sparring_jobs.job WHERE name LIKE 'spar.task.%'";
	await site.rows(
		"UPDATE sparring_jobs.job SET started_on = started_on - interval '25 hours' WHERE name LIKE 'spar.task.%'",
	);
	await until("another worker has taken the job and given it back", async () => {
		const [row] = await site.rows(`SELECT state, retry_count ${job}`);
		return Number(row?.["retry_count"]) >= 2;
	});
	open("t1");
	await worker.told(`t1 of run ${run}: rests`);
	await until("the run has ended", async () => {
		const [row] = await site.rows("SELECT status FROM runs");
		return row?.["status"] === "completed";
	});
	expect(calls()).toEqual(["t1"]);
	await until("the job is done", async () => {
		const [row] = await site.rows(`SELECT state ${job}`);
		return row?.["state"] === "completed";
	});
	expect(calls()).toEqual(["t1"]);
});
