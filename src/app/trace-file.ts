import { join } from "node:path";
import { replaceFile } from "../loop/replace-file.ts";
import type { Records } from "../store/records.ts";
import { newestVerification } from "./read-task.ts";
import type { TraceFile } from "./sparring.ts";

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

/** Writes a task's trace: under its run always, and at the top when the run is the newest. */
export async function writeTrace(
	records: Records,
	stateDir: string,
	runId: string,
	taskId: string,
): Promise<void> {
	const text = `${JSON.stringify(await traceOf(records, runId, taskId), null, 2)}\n`;
	await replaceFile(join(stateDir, "runs", runId, "traces", `${taskId}.json`), text);
	const [newest] = await records.runs();
	if (newest?.runId === runId) await replaceFile(join(stateDir, "traces", `${taskId}.json`), text);
}

/** Writes the traces of all tasks of a run. */
export async function writeTraces(
	records: Records,
	stateDir: string,
	runId: string,
): Promise<void> {
	for (const { taskId } of await records.tasks(runId))
		await writeTrace(records, stateDir, runId, taskId);
}
