import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

const TASKS = ["t1", "t2"];

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(TASKS), machines: ["one", "two"] });
});
afterEach(() => site.remove());

/** All that a worker could write: refs of the remote, and the rows of the records. */
async function written(): Promise<unknown> {
	const tables =
		"runs tasks steps calls turns evidence findings items events scores checkpoints pending_writes blobs";
	const rows: [string, unknown][] = [];
	for (const table of tables.split(" "))
		rows.push([table, await site.rows(`SELECT * FROM ${table} AS row ORDER BY row::text`)]);
	return { refs: site.atRemote("for-each-ref"), ...Object.fromEntries(rows) };
}

const isStopped = (pid: number | undefined): boolean =>
	/ T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

test("a worker that is stopped past its lease and goes on then writes and pushes nothing, and takes other tasks", async () => {
	shut(site, "t1");
	const one = await site.worker("one", 1);
	const run = site.begin();
	await one.told("t1 of run");
	await isWaiting(site, "t1");
	one.child.kill("SIGSTOP");
	await waitUntil("the worker is stopped", () => isStopped(one.child.pid));
	rmSync(join(site.scratch, "shut/t1"));
	const two = await site.worker("two", 2);
	expect(await site.start("office", ["watch", run]).ended, two.said()).toBe(0);
	const [task] = await site.rows("SELECT status, merged FROM tasks WHERE task_id = 't1'");
	expect(task).toEqual({ status: "completed", merged: 1 });
	await two.end();
	const before = await written();
	one.child.kill("SIGCONT");
	await one.told(`t1 of run ${run}: given back`);
	expect(await written()).toEqual(before);
	expect(one.said()).toContain("lease");
	// It works on.
	const next = site.begin();
	expect(await site.start("office", ["watch", next]).ended, one.said()).toBe(0);
	expect(one.said()).toContain(`t2 of run ${next}: rests`);
});
