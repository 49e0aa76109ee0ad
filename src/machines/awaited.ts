import type { Store } from "../places/store.ts";
import { standingOf } from "../schedule/standing.ts";
import type { RunRecord } from "../store/records.ts";
import type { LiveWorker } from "../store/workers.ts";
import type { RunReport } from "../story/report.ts";
import { tagsOf } from "../workflow/tags-of.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { servedBy } from "./fitness.ts";

type Unclaimed = RunReport["unclaimed"][number];

export async function waitingTasks(
	{ records, leases, machines }: Pick<Store, "records" | "leases" | "machines">,
	run: RunRecord,
): Promise<Pick<RunReport, "unclaimed" | "stopped" | "held_back">> {
	const { runId, status, workflow } = run;
	if (machines === null || status !== "running")
		return { unclaimed: [], stopped: [], held_back: [] };
	const { ready, stopped, heldBack } = await standingOf(records, runId, workflow);
	const live = await machines.workers.live();
	const unclaimed: Unclaimed[] = [];
	for (const task of ready) {
		if ((await leases.holder(runId, { task: task.taskId })) !== undefined) continue;
		const definition = workflow.tasks.find(({ id }) => id === task.taskId);
		if (definition !== undefined) unclaimed.push(waitingTask(run, definition, live));
	}
	return {
		unclaimed,
		stopped: [...stopped].map(([task, why]) => ({ task, ...why })),
		held_back: heldBack.map(({ taskId }) => taskId),
	};
}

/** Wait of a task that no machine has taken, with what it is for. */
export function waitingTask(
	run: Pick<RunRecord, "runId" | "workflow">,
	task: TaskDefinition,
	live: readonly LiveWorker[],
): Unclaimed {
	const tags = tagsOf(run.workflow, task);
	const { served, unfit } = servedBy(run, { task, tags }, live);
	return { task: task.id, tags, has_worker: served, unfit };
}
