import type { Store } from "../places/store.ts";
import { standingOf } from "../schedule/standing.ts";
import type { RunRecord } from "../store/records.ts";
import { tagsOf } from "../workflow/tags-of.ts";
import { isServed } from "./no-worker.ts";

export interface UnclaimedTask {
	readonly task: string;
	readonly tags: readonly string[];
	readonly has_worker: boolean;
}

export interface StoppedReport {
	readonly task: string;
	readonly code: string | null;
	readonly message: string;
	readonly hint: string | null;
}

export interface WaitingTasks {
	readonly unclaimed: readonly UnclaimedTask[];
	readonly stopped: readonly StoppedReport[];
}

export async function waitingTasks(
	{ records, leases, machines }: Pick<Store, "records" | "leases" | "machines">,
	{ runId, status, workflow }: RunRecord,
): Promise<WaitingTasks> {
	if (machines === null || status !== "running") return { unclaimed: [], stopped: [] };
	const { ready, stopped } = await standingOf(records, runId, workflow);
	const live = await machines.workers.live();
	const unclaimed: UnclaimedTask[] = [];
	for (const task of ready) {
		if ((await leases.holder(runId, { task: task.taskId })) !== undefined) continue;
		const definition = workflow.tasks.find(({ id }) => id === task.taskId);
		const tags = definition === undefined ? [] : tagsOf(workflow, definition);
		unclaimed.push({ task: task.taskId, tags, has_worker: isServed(tags, live) });
	}
	return { unclaimed, stopped: [...stopped].map(([task, why]) => ({ task, ...why })) };
}
