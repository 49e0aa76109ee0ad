import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
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

/** Workers of the machine `one`, as all see them. */
const lacks = async (): Promise<readonly string[]> => {
	const told = site.spar("office", "workers", "--json");
	// True because the test is about this shape.
	const workers = JSON.parse(told) as readonly { lacks: readonly { why: string }[] }[];
	return workers.flatMap((worker) => worker.lacks.map(({ why }) => why));
};

test("a machine that cannot work on a run leaves its tasks to one that can", async () => {
	git(site.at("one"), "remote", "rename", "origin", "elsewhere");
	const unfit = await site.worker("one", 1);
	const run = site.begin();
	await unfit.told(`this worker cannot work on t1 of run ${run}`);
	await unfit.told(`t1 of run ${run}: given back`);
	await until("all are told", async () => (await lacks()).join().includes("no remote origin"));
	await site.worker("two", 1);
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'")).toEqual([]);
});

/** A workflow whose player is a program of its own, and the environment that has it. */
function ownShell(): { readonly file: string; readonly env: NodeJS.ProcessEnv } {
	const bin = join(site.scratch, "own-bin");
	mkdirSync(bin);
	symlinkSync("/bin/sh", join(bin, "player-shell"));
	const file = join(site.scratch, "own.yaml");
	const workflow = readFileSync(join(site.at("office"), "sparring.yaml"), "utf8");
	writeFileSync(file, workflow.replace('"sh"', '"player-shell"'));
	return { file, env: { PATH: `${bin}:${process.env["PATH"]}` } };
}

/** Takes the task of a run to its merge on a worker that can do all of it, which then ends. */
async function toItsMerge(file: string, env: NodeJS.ProcessEnv) {
	shut(site, "t1");
	const one = await site.worker("one", 1, { env });
	const run = site.begin(file);
	await isWaiting(site, "t1");
	const hook = join(site.remote, "hooks", "pre-receive");
	const lines = [
		"#!/bin/sh",
		'while read -r _ _ ref; do case "$ref" in */integration) exit 1 ;; esac; done',
	];
	writeFileSync(hook, `${lines.join("\n")}\n`, { mode: 0o755 });
	rmSync(join(site.scratch, "shut/t1"));
	await one.told("it is tried again");
	await one.end();
	const [task] = await site.rows("SELECT phase FROM tasks WHERE run_id = $1", run);
	expect(task).toEqual({ phase: "merging" });
	rmSync(hook);
	return run;
}

test("a task that only has to be merged is merged by a worker that has none of its agents", async () => {
	const { file, env } = ownShell();
	const run = await toItsMerge(file, env);
	const two = await site.worker("two", 1);
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(two.said()).not.toContain("cannot work");
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
});

test("where that merge is refused the task goes to a worker that has its player, and the other says once that it cannot", async () => {
	const { file, env } = ownShell();
	const run = await toItsMerge(file, env);
	const office = site.at("office");
	git(office, "fetch", "-q", "origin", `sparring/${run}/integration`);
	git(office, "checkout", "-q", "--detach", "FETCH_HEAD");
	writeFileSync(join(office, "out-t1.txt"), "other");
	git(office, "add", "out-t1.txt");
	git(office, "commit", "-q", "-m", "other");
	git(office, "push", "-q", "origin", `HEAD:refs/heads/sparring/${run}/integration`);
	const two = await site.worker("two", 1);
	await two.told(`this worker cannot work on t1 of run ${run}`);
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
	await site.worker("one", 1, { env });
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\nt1\n");
	expect(two.said().match(/cannot work on t1/g)).toHaveLength(1);
});

test("a machine without the program of an agent calls nobody: it says so to all, and another one does the task", async () => {
	const { file, env } = ownShell();
	const unfit = await site.worker("one", 2);
	const run = site.begin(file);
	await unfit.told(`t1 of run ${run}: given back`);
	await until("all are told", async () => (await lacks()).join().includes("player-shell"));
	const why = "agent dev needs the program player-shell, which is not on the PATH";
	expect(site.spar("office", "status", run)).toContain(
		`t1: it waits: no worker that runs can do it: one: ${why}`,
	);
	expect(existsSync(join(site.scratch, "calls"))).toBe(false);
	expect(site.spar("office", "workers")).toMatch(/^one:\d+-\w+ cannot work on run /m);
	await site.worker("two", 1, { env });
	await until("the run ends", async () => (await statusOf(run)) === "completed");
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'")).toEqual([]);
});

test("what no machine can do is no fault of the task: it waits with the reason, and fails by it after ten minutes where nobody is asked", async () => {
	git(site.at("one"), "remote", "rename", "origin", "elsewhere");
	await site.worker("one", 1);
	const run = site.begin();
	const shown = (): string => site.spar("office", "status", run);
	await until("status tells", () => shown().includes("no worker that runs can do it: one: "));
	expect(shown()).toContain("running (waits for a worker)");
	const waiting = () =>
		site.rows("SELECT 1 FROM steps WHERE step = 'no-worker' AND result <> 'null'");
	await until("its wait is counted", async () => (await waiting()).length > 0);
	const since = JSON.stringify(new Date(Date.now() - 660_000).toISOString());
	await site.rows("UPDATE steps SET result = $1 WHERE step = 'no-worker'", since);
	await until("the run ends", async () => (await statusOf(run)) === "failed");
	const [task] = await site.rows("SELECT failure_reason FROM tasks WHERE run_id = $1", run);
	expect(task?.["failure_reason"]).toMatch(
		/been able to do it for 11 minutes: one: .*no remote origin/,
	);
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'")).toEqual([]);
});

test("what does not pass is stopped, told by status, and goes on once it is resumed", async () => {
	shut(site, "t1");
	const worker = await site.worker("one", 1);
	const run = site.begin();
	await isWaiting(site, "t1");
	const hook = join(site.remote, "hooks", "pre-receive");
	writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
	rmSync(join(site.scratch, "shut/t1"));
	await worker.told("it is tried again");
	// As after seven more tries, which take some minutes.
	const [row] = await site.rows("SELECT result FROM steps WHERE step = 'tries'");
	const { point } = JSON.parse(String(row?.["result"])) as { readonly point: string };
	const spent = JSON.stringify({ point, times: 8 });
	await site.rows("UPDATE steps SET result = $1 WHERE step = 'tries'", spent);
	await worker.told("stopped: ");
	const shown = (): string => site.spar("office", "status", run);
	await until("status tells", () => shown().includes("t1: stopped: "));
	expect(shown()).toContain("running (stopped: spar resume goes on)");
	const told = await site.rows("SELECT 1 FROM events WHERE type = 'task-stopped'");
	expect(told).toHaveLength(1);
	rmSync(hook);
	// It follows: the worker has the clone, and the work in it.
	expect(await site.start("one", ["resume", run, "--anyway"]).ended, worker.said()).toBe(0);
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
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
