import type { Store } from "../places/store.ts";
import { standingOf } from "../schedule/standing.ts";
import type { RunRecord } from "../store/records.ts";
import type { RunReport } from "../story/report.ts";
import { tagsOf } from "../workflow/tags-of.ts";
import { isServed } from "./no-worker.ts";

export async function waitingTasks(
	{ records, leases, machines }: Pick<Store, "records" | "leases" | "machines">,
	{ runId, status, workflow }: RunRecord,
): Promise<Pick<RunReport, "unclaimed" | "stopped">> {
	if (machines === null || status !== "running") return { unclaimed: [], stopped: [] };
	const { ready, stopped } = await standingOf(records, runId, workflow);
	const live = await machines.workers.live();
	const unclaimed: RunReport["unclaimed"][number][] = [];
	for (const task of ready) {
		if ((await leases.holder(runId, { task: task.taskId })) !== undefined) continue;
		const definition = workflow.tasks.find(({ id }) => id === task.taskId);
		const tags = definition === undefined ? [] : tagsOf(workflow, definition);
		unclaimed.push({ task: task.taskId, tags, has_worker: isServed(tags, live) });
	}
	return { unclaimed, stopped: [...stopped].map(([task, why]) => ({ task, ...why })) };
}
