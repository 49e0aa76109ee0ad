import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { startPostgres, type TestPostgres } from "./support/servers.ts";
import { Site, type Started } from "./support/site.ts";

const TASKS = ["t1", "t2"];

let server: TestPostgres;
let site: Site;
let workers: readonly Started[];
let run: string;

/** Two workers with a task each, both in the middle of a call. */
beforeEach(async () => {
	server = await startPostgres();
	const database = { address: server.address, drop: () => server.stop() };
	site = await Site.make({ files: gatedTasks(TASKS), machines: ["one", "two"], database });
	for (const task of TASKS) shut(site, task);
	workers = await Promise.all([site.worker("one", 1), site.worker("two", 1)]);
	run = site.begin();
	await Promise.all(TASKS.map((task) => isWaiting(site, task)));
});
afterEach(() => site.remove());

const open = (): void => {
	for (const task of TASKS) rmSync(join(site.scratch, "shut", task));
};
const calls = (): readonly string[] =>
	readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");
const said = (): string => workers.map((worker) => worker.said()).join("\n---\n");

async function expectDone(): Promise<void> {
	expect(await site.start("office", ["watch", run]).ended, said()).toBe(0);
	const sql = "SELECT task_id, status, merged FROM tasks WHERE run_id = $1 ORDER BY 1";
	const done = { status: "completed", merged: 1 };
	expect(await site.rows(sql, run)).toEqual(TASKS.map((task_id) => ({ task_id, ...done })));
	expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null]);
}

test("a database that restarts is waited for: both workers go on with what they do, and no agent is called again", async () => {
	await server.restart(async () => {
		await Promise.all(workers.map((worker) => worker.told("it is tried again")));
	});
	open();
	await expectDone();
	expect(calls().toSorted()).toEqual(TASKS);
});

test("a database that is away for longer than a lease ends all calls: both workers begin again when it is back", async () => {
	await server.restart(async () => {
		await Promise.all(workers.map((worker) => worker.told("could not renew its lease")));
	});
	open();
	await expectDone();
	expect(calls().toSorted()).toEqual(["t1", "t1", "t2", "t2"]);
});
