import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { Site, type Started } from "./support/site.ts";

let site: Site;
let worker: Started;
let run: string;

const away = (): void => renameSync(site.remote, `${site.remote}.away`);
const back = (): void => renameSync(`${site.remote}.away`, site.remote);

/** A task whose player has just been called, when the remote goes away. */
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one"] });
	shut(site, "t1");
	worker = await site.worker("one", 1);
	run = site.begin();
	await isWaiting(site, "t1");
	away();
	rmSync(join(site.scratch, "shut/t1"));
	await worker.told("the remote origin cannot be reached");
	await worker.told("it is tried again");
});
afterEach(() => site.remove());

const calls = (): string => readFileSync(join(site.scratch, "calls"), "utf8");
const statuses = () => site.rows("SELECT status, merged FROM tasks WHERE run_id = $1", run);
const triesOf = () =>
	site.rows("SELECT result FROM steps WHERE run_id = $1 AND step = 'tries'", run);

test("a task goes on when the remote is back, without another call of its agent", async () => {
	expect(await statuses()).toEqual([{ status: "running", merged: 0 }]);
	back();
	expect(await site.start("office", ["watch", run]).ended, worker.said()).toBe(0);
	expect(await statuses()).toEqual([{ status: "completed", merged: 1 }]);
	expect(calls()).toBe("t1\n");
	// Elsewhere its agent would have been paid again.
	expect(worker.said()).not.toContain("given back");
});

test("a task is stopped when the remote stays away, and goes on once its run is resumed", async () => {
	const [row] = await triesOf();
	const { point } = JSON.parse(String(row?.["result"])) as { readonly point: string };
	// As if the pauses between the tries were over.
	const spent = JSON.stringify({ point, times: 8 });
	await site.rows("UPDATE steps SET result = $1 WHERE step = 'tries'", spent);
	await worker.told(`task t1 of run ${run} stopped: the remote origin cannot be reached`);
	await worker.told(`t1 of run ${run}: rests`);
	expect(await statuses()).toEqual([{ status: "running", merged: 0 }]);
	expect(await triesOf()).toEqual([{ result: "null" }]);
	back();
	// In the worker's clone it only follows: another machine would have to call the agent again, as nothing was pushed.
	expect(await site.start("one", ["resume", run]).ended, worker.said()).toBe(0);
	expect(await statuses()).toEqual([{ status: "completed", merged: 1 }]);
	expect(calls()).toBe("t1\n");
});
