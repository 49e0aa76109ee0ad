import type { TaskStatus } from "../kernel/task-state.ts";
import type { VerificationReport } from "../loop/records/turn-verification.ts";
import { writeShared } from "../loop/shared-file.ts";
import type { Store } from "../places/store.ts";
import type { Records } from "../store/records.ts";
import type { StoredEvent } from "../trace/event.ts";
import { newestVerification } from "../view/read-task.ts";

/** A task's trace as it is written to `.sparring/traces/<task>.json`. */
export interface TraceFile {
	readonly schema_version: 1;
	readonly run_id: string;
	readonly task_id: string;
	/** The task's `feature_id`; null without one. */
	readonly feature_id: string | null;
	readonly status: TaskStatus;
	readonly started_at: string | null;
	readonly ended_at: string | null;
	readonly turns: number;
	/** Of the last turn in which verification was decided; null before. */
	readonly verification_result: VerificationReport | null;
	/** Calls by agent name. */
	readonly agent_invocations: Readonly<Record<string, number>>;
	/** True where the files that the events name, such as transcripts, were removed; left out otherwise. */
	readonly files_removed?: boolean;
	readonly events: readonly StoredEvent[];
}

/** The trace of a task, read back from the event log. */
export async function traceOf(records: Records, runId: string, taskId: string): Promise<TraceFile> {
	const task = await records.task(runId, taskId);
	if (task === undefined) throw new Error(`run ${runId} has no task ${taskId}`);
	const run = await records.run(runId);
	const definition = run?.workflow.tasks.find(({ id }) => id === taskId);
	const events = await records.events(runId, { task: taskId });
	const invocations: Record<string, number> = {};
	for (const event of events) {
		if (event.type !== "agent-called") continue;
		invocations[event.data.agent] = (invocations[event.data.agent] ?? 0) + 1;
	}
	return {
		schema_version: 1,
		run_id: runId,
		task_id: taskId,
		feature_id: definition?.featureId ?? null,
		status: task.status,
		started_at: task.startedAt,
		ended_at: task.endedAt,
		turns: task.turns,
		verification_result: await newestVerification(records, task),
		agent_invocations: invocations,
		events,
	};
}

type TraceStore = Pick<Store, "records" | "blobs">;

export async function writeTrace(store: TraceStore, runId: string, taskId: string): Promise<void> {
	const text = `${JSON.stringify(await traceOf(store.records, runId, taskId), null, 2)}\n`;
	await writeShared(store, { runId, taskId, folder: "traces" }, text);
}

/** Writes the traces of all tasks of a run. */
export async function writeTraces(store: TraceStore, runId: string): Promise<void> {
	for (const { taskId } of await store.records.tasks(runId)) await writeTrace(store, runId, taskId);
}
