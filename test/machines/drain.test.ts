import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { gatedTasks, isWaiting, shut } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

/** In CI a part; all with `SPAR_RESTART_TASKS=20`. */
const TASKS = Number(process.env["SPAR_RESTART_TASKS"] ?? 6);

let site: Site;
afterEach(() => site.remove());

const calls = (): readonly string[] =>
	readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");

test.each([
	["SIGTERM", (): string => "SIGTERM"],
	[
		"spar workers drain",
		(worker: string): string => site.spar("office", "workers", "drain", worker),
	],
] as const)("%s lets a worker finish what it works on and take nothing new", async (_how, ask) => {
	site = await Site.make({ files: gatedTasks(["t1", "t2"]), machines: ["one", "two"] });
	shut(site, "t1");
	shut(site, "t2");
	const one = await site.worker("one", 1);
	const run = site.begin();
	await waitUntil("a task is taken", () => existsSync(join(site.scratch, "calls")));
	const [first = ""] = calls();
	await isWaiting(site, first);
	if (ask("one") === "SIGTERM") one.child.kill("SIGTERM");
	await one.told("takes nothing new, and ends once what it works on rests: 1 in work");
	const told: unknown = JSON.parse(site.spar("office", "workers", "--json"));
	expect(told).toMatchObject([{ host: "one", draining: true, busy: 1 }]);
	rmSync(join(site.scratch, "shut", first));
	expect(await one.ended).toBe(0);
	expect(one.said()).toContain(`${first} of run ${run}: rests`);
	expect(calls()).toEqual([first]);
	rmSync(join(site.scratch, "shut"), { recursive: true });
	await site.worker("two", 1);
	expect(await site.start("office", ["watch", run]).ended).toBe(0);
	expect([...calls()].sort()).toEqual(["t1", "t2"]);
});

test("a second signal gives back what is worked on", async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one"] });
	shut(site, "t1");
	const one = await site.worker("one", 1);
	const run = site.begin();
	await isWaiting(site, "t1");
	one.child.kill("SIGTERM");
	await one.told("takes nothing new");
	one.child.kill("SIGTERM");
	expect(await one.ended).toBe(0);
	expect(one.said()).toContain(`t1 of run ${run}: given back`);
});

test("nobody drains for a name that no worker has, and nobody without a name", async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one"] });
	const one = await site.worker("one", 1);
	expect(() => site.spar("office", "workers", "drain", "on")).toThrow("no worker on runs");
	expect(() => site.spar("office", "workers", "drain")).toThrow("name one worker or machine");
	expect(() => site.spar("office", "workers", "drain", "one", "--all")).toThrow("name one worker");
	expect(JSON.parse(site.spar("office", "workers", "drain", "--all", "--json"))).toHaveLength(1);
	expect(await one.ended).toBe(0);
});

test(`a rolling restart of two workers during ${TASKS} tasks makes no call twice`, async () => {
	const ids = Array.from({ length: TASKS }, (_, nth) => `t${nth}`);
	site = await Site.make({ files: gatedTasks(ids), machines: ["one", "two"] });
	let workers = [await site.worker("one", 2), await site.worker("two", 2)];
	const run = site.begin();
	for (const [nth, machine] of ["one", "two"].entries()) {
		const merged = "SELECT 1 FROM tasks WHERE run_id = $1 AND merged = 1";
		const enough = async () => (await site.rows(merged, run)).length >= (nth * TASKS) / 3 + 1;
		await expect.poll(enough, { timeout: 200_000, interval: 200 }).toBe(true);
		const old = workers[nth];
		if (old === undefined) throw new Error("there are two workers");
		old.child.kill("SIGTERM");
		expect(await old.ended, old.said()).toBe(0);
		expect(old.said()).not.toContain("given back");
		const next = await site.worker(machine, 2);
		workers = workers.map((worker) => (worker === old ? next : worker));
	}
	expect(await site.start("office", ["watch", run]).ended).toBe(0);
	expect([...calls()].sort()).toEqual([...ids].sort());
	const rows = await site.rows(
		"SELECT count(*) AS made FROM calls WHERE run_id = $1 AND outcome = 'answered'",
		run,
	);
	expect(rows).toEqual([{ made: TASKS }]);
});
