import { standingOf } from "../../schedule/standing.ts";
import type { RunRecord, TaskRecord } from "../../store/records.ts";
import type { LiveWorker } from "../../store/workers.ts";
import { tagsOf, tagsOfVerifier } from "../../workflow/tags-of.ts";
import { verifierOf } from "../../workflow/verifier-of.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Store } from "../store.ts";
import { isServed, isVerified } from "./no-worker.ts";

/** What can be worked on, and no machine has taken. */
export interface UnclaimedTask {
	readonly task: string;
	/** The task as a whole, or the verification of a turn of it, which no machine could take. */
	readonly what: "task" | "verification";
	/** What a machine needs for it, sorted. */
	readonly tags: readonly string[];
	/** False: no worker that runs has all of that. */
	readonly has_worker: boolean;
}

/** A task that an error stopped, until its run is resumed. */
export interface StoppedReport {
	readonly task: string;
	/** That of the fault; null for a bug. */
	readonly code: string | null;
	readonly message: string;
	readonly hint: string | null;
}

/** What keeps tasks of a run that several machines may work on. */
export interface WaitingTasks {
	readonly unclaimed: readonly UnclaimedTask[];
	readonly stopped: readonly StoppedReport[];
}

/** The tasks of a run that wait for a machine or for `spar resume`; none on the store of one machine. */
export async function waitingTasks(
	{ records, leases, machines }: Pick<Store, "records" | "leases" | "machines">,
	{ runId, status, workflow }: RunRecord,
): Promise<WaitingTasks> {
	if (machines === null || status !== "running") return { unclaimed: [], stopped: [] };
	const { ready, stopped } = await standingOf(records, runId, workflow);
	const live = await machines.workers.live();
	const unclaimed: UnclaimedTask[] = [];
	for (const task of ready) {
		if ((await leases.holder(runId, { task: task.taskId })) !== undefined) {
			unclaimed.push(...unverified(workflow, task, live));
			continue;
		}
		const definition = workflow.tasks.find(({ id }) => id === task.taskId);
		const tags = definition === undefined ? [] : tagsOf(workflow, definition);
		const hasWorker = isServed(tags, live);
		unclaimed.push({ task: task.taskId, what: "task", tags, has_worker: hasWorker });
	}
	return { unclaimed, stopped: [...stopped].map(([task, why]) => ({ task, ...why })) };
}

/** The verification for which a task waits, where nobody is there who could do it. */
function unverified(
	workflow: Workflow,
	{ taskId, phase }: TaskRecord,
	live: readonly LiveWorker[],
): readonly UnclaimedTask[] {
	if (workflow.verification.via !== "queue" || phase !== "verifying_dispatched") return [];
	const definition = workflow.tasks.find(({ id }) => id === taskId);
	const verifier = definition === undefined ? null : verifierOf(workflow, definition);
	if (verifier === null) return [];
	const tags = tagsOfVerifier(workflow, verifier);
	if (isVerified(tags, live)) return [];
	return [{ task: taskId, what: "verification", tags, has_worker: false }];
}
