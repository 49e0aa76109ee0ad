import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type ArmedRemote, armRemote, type Moment } from "./armed-remote.ts";
import { gatedTasks } from "./gated-tasks.ts";
import { mergesOf } from "./merges-of.ts";
import { Site, type Started } from "./site.ts";

/** What happens at a moment of a push that waits there. It lets the push go on, or cuts it. */
export type Trouble = (moment: Moment, worker: Started) => Promise<void>;

/** Machines `office` and `one`, with a remote whose pushes can be held, and a workflow of a task for each of some moments. */
export interface PushScene {
	readonly site: Site;
	readonly remote: ArmedRemote;
	/**
	 * Brings a trouble at each of the moments in turn, and follows the run to its end: each task has merged once, and no
	 * agent was called again.
	 *
	 * @param env of the worker, on top of what its machine has
	 */
	troubled(trouble: Trouble, env?: NodeJS.ProcessEnv): Promise<void>;
}

/** Whoever makes it removes its site, in `afterEach`. */
export async function pushScene(moments: readonly Moment[]): Promise<PushScene> {
	const tasks = moments.map((moment) => `t-${moment}`);
	const files = gatedTasks(tasks, { max_parallel: 1 });
	const site = await Site.make({ files, machines: ["one"] });
	const remote = armRemote(site);
	return {
		site,
		remote,
		troubled: async (trouble, env = {}) => {
			for (const moment of moments) remote.arm(moment);
			const worker = await site.worker("one", 1, { env });
			const run = site.begin();
			for (const moment of moments) {
				await remote.reached(moment);
				await trouble(moment, worker);
			}
			expect(await site.start("office", ["watch", run]).ended, worker.said()).toBe(0);
			await expectOnce(site, run, tasks);
		},
	};
}

/** Each task has merged once, in its first turn, for which its agent was called once. */
async function expectOnce(site: Site, run: string, tasks: readonly string[]): Promise<void> {
	expect(mergesOf(site, run).toSorted()).toEqual(tasks.toSorted());
	const statuses = "SELECT DISTINCT status, merged, turns FROM tasks WHERE run_id = $1";
	expect(await site.rows(statuses, run)).toEqual([{ status: "completed", merged: 1, turns: 1 }]);
	const merges = "SELECT task FROM events WHERE run_id = $1 AND type = 'task-merged'";
	expect(await site.rows(merges, run)).toHaveLength(tasks.length);
	const calls = readFileSync(join(site.scratch, "calls"), "utf8").trim().split("\n");
	expect(calls.toSorted()).toEqual(tasks.toSorted());
}
