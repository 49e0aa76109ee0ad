import { standingOf } from "../../schedule/standing.ts";
import type { RunRecord } from "../../store/records.ts";
import { tagsOf } from "../../workflow/tags-of.ts";
import type { Store } from "../store.ts";
import { isServed } from "./no-worker.ts";

/** A task that can be worked on, and that no machine has taken. */
export interface UnclaimedTask {
	readonly task: string;
	/** What a machine needs for it, sorted. */
	readonly tags: readonly string[];
	/** False: no worker that runs has all of that. */
	readonly has_worker: boolean;
}

/** The tasks of a run that wait for a machine; none on the store of one machine. */
export async function unclaimedTasks(
	{ records, leases, machines }: Pick<Store, "records" | "leases" | "machines">,
	{ runId, status, workflow }: RunRecord,
): Promise<readonly UnclaimedTask[]> {
	if (machines === null || status !== "running") return [];
	const { ready } = await standingOf(records, runId, workflow);
	const live = await machines.workers.live();
	const unclaimed: UnclaimedTask[] = [];
	for (const { taskId } of ready) {
		if ((await leases.holder(runId, { task: taskId })) !== undefined) continue;
		const definition = workflow.tasks.find(({ id }) => id === taskId);
		const tags = definition === undefined ? [] : tagsOf(workflow, definition);
		unclaimed.push({ task: taskId, tags, has_worker: isServed(tags, live) });
	}
	return unclaimed;
}
