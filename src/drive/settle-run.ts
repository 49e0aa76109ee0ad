import { runStatusOf } from "../schedule/readiness.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { Write } from "../store/records.ts";
import { tidy } from "./work-on-task.ts";

export async function settleRun(
	drive: Parameters<typeof tidy>[0],
	commit: (writes: readonly Write[]) => Promise<void>,
): Promise<void> {
	const { run, store } = drive;
	const tasks = await store.records.tasks(run.runId);
	// Also what a killed process left undone after the records were safe.
	for (const { taskId } of tasks) await tidy(drive, taskId);
	const status = runStatusOf(tasks.map((task) => task.status));
	const timestamp = new Date().toISOString();
	const paused = status === "paused_for_user_escalation";
	await commit([
		{ kind: "run", runId: run.runId, patch: { status, endedAt: paused ? null : timestamp } },
		runEvent(run.runId, "run-ended", { status }, { timestamp }),
	]);
}
