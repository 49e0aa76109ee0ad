import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { git, Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one", "two"] });
});
afterEach(() => site.remove());

/** Looks until something holds. */
const until = (what: string, holds: () => boolean | Promise<boolean>): Promise<boolean> =>
	vi.waitUntil(holds, { timeout: 120_000, interval: 200 }).catch((error: unknown) => {
		throw new Error(what, { cause: error });
	});

const statusOf = async (run: string): Promise<unknown> =>
	(await site.rows("SELECT status FROM runs WHERE run_id = $1", run))[0]?.["status"];

test("a clone that is older than the run fetches the commit that it begins on", async () => {
	writeFileSync(join(site.at("office"), "more.txt"), "more");
	git(site.at("office"), "add", "-A");
	git(site.at("office"), "commit", "-q", "-m", "more");
	git(site.at("office"), "push", "-q", "origin", "main");
	const worker = await site.worker("one", 1);
	const run = site.begin();
	await worker.told(`t1 of run ${run}: rests`);
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'")).toEqual([]);
});

test("a machine that cannot work on a run leaves its tasks to one that can", async () => {
	git(site.at("one"), "remote", "rename", "origin", "elsewhere");
	const unfit = await site.worker("one", 1);
	const run = site.begin();
	await unfit.told(`this machine cannot work on run ${run}`);
	await site.worker("two", 1);
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'")).toEqual([]);
});

test("what no machine can do is stopped after some tries, told by status, and goes on once it is resumed", async () => {
	git(site.at("one"), "remote", "rename", "origin", "elsewhere");
	const worker = await site.worker("one", 1);
	const run = site.begin();
	await worker.told(`this machine cannot work on run ${run}`);
	// As after seven more tries, which take more than a minute.
	const tries = JSON.stringify({ point: "0/initializing", times: 8 });
	await site.rows("UPDATE steps SET result = $1 WHERE step = 'tries'", tries);
	await worker.told("stopped: ");
	const shown = (): string => site.spar("office", "status", run);
	await until("status tells", () => shown().includes("t1: stopped: "));
	expect(shown()).toContain("running (stopped: spar resume goes on)");
	const told = await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'");
	expect(told).toHaveLength(1);
	git(site.at("one"), "remote", "rename", "elsewhere", "origin");
	shut(site, "t1");
	const resumed = site.start("office", ["resume", run, "--anyway"]);
	await isWaiting(site, "t1");
	expect(shown()).not.toContain("stopped");
	await resumed.end("SIGKILL");
});

test("what a killed worker left running in its clone ends when the next one starts there", async () => {
	await (await site.worker("one", 1)).end();
	const state = join(site.scratch, "state-one", "sparring");
	const [checkouts = ""] = readdirSync(state);
	const left = spawn("sleep", ["300"], {
		cwd: join(state, checkouts),
		env: { PATH: process.env["PATH"], SPAR_PROCESS_MARK: "r1:t1:player" },
		stdio: "ignore",
	});
	const ended = once(left, "exit");
	const worker = await site.worker("one", 1);
	expect(await ended).toEqual([null, "SIGTERM"]);
	expect(worker.said()).toContain("processes that an earlier worker left here were ended: 1");
});
