import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { killAllOf } from "../support/processes.ts";
import { type Seeded, seeded, seedOfProcess } from "../support/seeded.ts";
import { filesOf, manyTasks, outcomeOf, sharesList, taskNames } from "./support/many-tasks.ts";
import { Site, type Started } from "./support/site.ts";

const SEED = seedOfProcess();
const TASKS = Number(process.env["SPAR_MACHINE_TASKS"] ?? 40);
const KILLS = Number(process.env["SPAR_MACHINE_KILLS"] ?? 8);
/** What a task may take on a busy machine, kills included, in ms. */
const MOST_MS = 120_000 + 12_000 * TASKS;
const MACHINES = ["one", "two", "three"] as const;
const SLOTS = 2;

let site: Site;
afterEach(() => site.remove());

/** Tasks that a worker took and did not let go, as it told. */
function heldBy(worker: Started): readonly string[] {
	const held = new Set<string>();
	for (const [, task = "", what] of worker.said().matchAll(/^(t\d+) of run \S+: (.+)$/gm))
		if (what === "taken") held.add(task);
		else held.delete(task);
	return [...held];
}

/** Workers of all machines, of which some are killed and replaced. */
class Team {
	readonly #workers = new Map<string, Started>();
	/** How often each task was interrupted by a kill. */
	readonly interrupted = new Map<string, number>();
	readonly #said: string[] = [];

	begin(machine: string): void {
		this.#workers.set(machine, site.start(machine, ["worker", "--slots", String(SLOTS)]));
	}

	/** Kills a worker, alone or with all that it started, and starts another one in its clone. */
	async replace(machine: string, victim: "worker" | "machine"): Promise<void> {
		const worker = this.#workers.get(machine);
		if (worker === undefined) throw new Error(`there is no worker on ${machine}`);
		if (victim === "machine") killAllOf({ home: join(site.scratch, `home-${machine}`) });
		await worker.end("SIGKILL");
		for (const task of heldBy(worker))
			this.interrupted.set(task, (this.interrupted.get(task) ?? 0) + 1);
		this.#said.push(worker.said());
		this.begin(machine);
	}

	/** What all workers said, for the message of a failed test. */
	said(): string {
		const all = [...this.#said, ...[...this.#workers.values()].map((worker) => worker.said())];
		return `seed ${SEED}\n${all.join("\n---\n")}`;
	}
}

async function mergedCount(run: string): Promise<number> {
	const sql = "SELECT count(*) AS merged FROM tasks WHERE run_id = $1 AND merged = 1";
	const [row] = await site.rows(sql, run);
	return Number(row?.["merged"]);
}

/** What an error stopped, which nothing in these runs may. */
async function stopped(): Promise<readonly unknown[]> {
	return await site.rows("SELECT task_id, result FROM steps WHERE step = 'stopped'");
}

/** Tasks that did not merge, and what was told of them last. */
async function unmerged(run: string): Promise<unknown> {
	return await site.rows(
		`SELECT task_id, status, phase, failure_reason, flags, human_item,
			(SELECT json_agg(e.data ORDER BY e.id DESC) FROM (SELECT id, data FROM events WHERE run_id = $1 AND task = task_id ORDER BY id DESC LIMIT 12) e) AS told
		FROM tasks WHERE run_id = $1 AND merged = 0 ORDER BY task_id`,
		run,
	);
}

/** Waits until so many tasks have merged. */
async function merging(run: string, count: number, team: Team): Promise<void> {
	const deadline = performance.now() + MOST_MS;
	while ((await mergedCount(run)) < count) {
		expect(await stopped(), team.said()).toEqual([]);
		if (performance.now() > deadline)
			throw new Error(
				`not ${count} merged in time\n${JSON.stringify(await unmerged(run))}\n${team.said()}`,
			);
		await delay(200);
	}
}

/** Deals so many kills, spread over the merges of a run, and follows it to its end. */
async function livedThrough(run: string, kills: number, random: Seeded): Promise<Team> {
	const team = new Team();
	for (const machine of MACHINES) team.begin(machine);
	for (let dealt = 0; dealt < kills; dealt += 1) {
		await merging(run, Math.floor((dealt * TASKS) / (kills + 1)), team);
		await delay(random.integer(0, 3_000));
		await team.replace(random.pick(MACHINES), random.pick(["worker", "machine"]));
	}
	await merging(run, TASKS, team);
	expect(await site.start("office", ["watch", run]).ended, team.said()).toBe(0);
	return team;
}

function callsOf(): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const task of readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n"))
		counts.set(task, (counts.get(task) ?? 0) + 1);
	return counts;
}

/** What a run stored that no kill may change. Turns and evidence of tasks that conflict depend on who merges first. */
async function recordsOf(run: string): Promise<unknown> {
	const lonely = taskNames(TASKS).filter((_, nth) => !sharesList(nth));
	return {
		run: await site.rows(
			"SELECT status, cancel_requested, pruned FROM runs WHERE run_id = $1",
			run,
		),
		tasks: await site.rows(
			`SELECT task_id, status, phase, success, failure_reason, flags, merged, gate, human_item, open_findings
			FROM tasks WHERE run_id = $1 ORDER BY task_id`,
			run,
		),
		turns: await site.rows(
			"SELECT task_id, turn, route, effective FROM turns WHERE run_id = $1 AND task_id = ANY ($2) ORDER BY 1, 2",
			run,
			lonely,
		),
		calls: await site.rows(
			// Without repetitions: see `expectCallsOnce`.
			"SELECT DISTINCT task_id, turn, role, outcome FROM calls WHERE run_id = $1 AND task_id = ANY ($2) ORDER BY 1, 2, 3",
			run,
			lonely,
		),
		ends: await site.rows(
			`SELECT task, type, count(*) AS times FROM events
			WHERE run_id = $1 AND type IN ('task-ended', 'task-merged', 'run-started', 'run-ended') GROUP BY 1, 2 ORDER BY 1, 2`,
			run,
		),
		items: await site.rows("SELECT item_id FROM items WHERE run_id = $1", run),
	};
}

/**
 * An agent was called once for each call that a run needs, and once more for each kill that interrupted its task at most:
 * in the call, or after it and before its work was pushed, so that another machine says that the work is lost.
 */
async function expectCallsOnce(run: string, team: Team): Promise<void> {
	const stored = await site.rows(
		`SELECT task_id, count(*) AS calls, count(DISTINCT (turn, role)) AS needed,
			(SELECT count(*) FROM events WHERE run_id = $1 AND task = task_id AND type = 'work-lost') AS lost
		FROM calls WHERE run_id = $1 GROUP BY 1`,
		run,
	);
	const begun = callsOf();
	expect(stored).toHaveLength(TASKS);
	const wrong = stored.filter(({ task_id, calls, needed, lost }) => {
		const task = String(task_id);
		const times = begun.get(task) ?? 0;
		const most = Number(needed) + (team.interrupted.get(task) ?? 0);
		return Number(calls) !== Number(needed) + Number(lost) || times < Number(calls) || times > most;
	});
	expect(wrong, `${JSON.stringify([...begun])}\n${team.said()}`).toEqual([]);
}

/** Takes a run to its end under kills, and looks at all that it left. */
async function run(kills: number): Promise<{ readonly records: unknown; readonly tree: string }> {
	site = await Site.make({ files: manyTasks(TASKS), machines: MACHINES });
	const id = site.begin();
	const began = performance.now();
	const team = await livedThrough(id, kills, seeded(SEED));
	const seconds = Math.round((performance.now() - began) / 1000);
	const { merges, faults, tree, files } = outcomeOf(site, id);
	expect(merges.toSorted(), team.said()).toEqual(taskNames(TASKS));
	expect(faults).toEqual([]);
	expect(files).toEqual(expect.arrayContaining([...filesOf(TASKS)]));
	await expectCallsOnce(id, team);
	const hit = [...team.interrupted.values()].reduce((sum, times) => sum + times, 0);
	process.stdout.write(
		`${TASKS} tasks, ${kills} kills (seed ${SEED}): ${hit} tasks interrupted, ${seconds} s\n`,
	);
	return { records: await recordsOf(id), tree };
}

test(
	`${TASKS} tasks of workers that are killed ${KILLS} times end as those of an undisturbed run: each merged once, nothing lost`,
	async () => {
		const calm = await run(0);
		await site.remove();
		const killed = await run(KILLS);
		expect(killed).toEqual(calm);
	},
	2 * MOST_MS,
);
