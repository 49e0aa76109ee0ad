import type { Store } from "../places/store.ts";
import { standingOf } from "../schedule/standing.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import type { LiveWorker } from "../store/workers.ts";
import type { RunReport } from "../view/report.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { isMergedNext, servedBy, tagsOfNext } from "./fitness.ts";

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
		if (definition !== undefined) unclaimed.push(waitingTask(run, { definition, ...task }, live));
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
	{ definition, phase }: { readonly definition: TaskDefinition } & Pick<TaskRecord, "phase">,
	live: readonly LiveWorker[],
): Unclaimed {
	const tags = tagsOfNext(run.workflow, definition, { phase });
	const isMerged = isMergedNext({ phase });
	const { served, unfit } = servedBy(run, { task: definition, tags, isMerged }, live);
	return { task: definition.id, tags, has_worker: served, unfit };
}
