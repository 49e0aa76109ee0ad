import { join } from "node:path";
import { committer } from "../drive/committer.ts";
import type { Drive } from "../drive/drive.ts";
import { runContext } from "../drive/run-context.ts";
import { restoreIntegration, restoreTask } from "../drive/sound-state.ts";
import { workOnTask } from "../drive/work-on-task.ts";
import { keepChildren } from "../git/kept-children.ts";
import { runDirectory } from "../places/places.ts";
import { endMarked } from "../process/process-tree.ts";
import { removeLeftOf } from "../setups/own-temporary.ts";
import type { Lease } from "../store/records.ts";
import type { EventListener } from "../trace/event.ts";
import type { RunGround, WorkerPlace } from "./run-ground.ts";

export interface HeldTask {
	readonly taskId: string;
	readonly slot: number;
	readonly lease: Lease;
	readonly signal: AbortSignal;
	readonly onEvent?: EventListener | undefined;
}

export async function workUnderLease(
	place: WorkerPlace,
	ground: RunGround,
	{ taskId, slot, lease, signal, onEvent }: HeldTask,
): Promise<void> {
	const { run, shared, keeper, masker } = ground;
	const store = place.store.fenced(lease);
	const mark = `${run.runId}:${taskId}`;
	// What a killed worker of this machine left of the task, whose lease is ours now.
	await endMarked(`${mark}:`);
	await removeLeftOf(join(runDirectory(place.places, run.runId), taskId));
	// They are told apart by the task's mark, so they are of use to this task alone.
	const kept = keepChildren();
	if (signal.aborted) kept.hurry();
	signal.addEventListener("abort", () => kept.hurry(), { once: true });
	const vault = { ...ground.vault, signal, kept, mark: `${mark}:git` };
	const repository = { ...ground.repository, kept, mark: `${mark}:refs` };
	const drive: Drive = { ...place, ...ground, store, repository, lease, signal };
	const commit = committer(store.records, { lease, masker, onEvent }, keeper);
	try {
		const task = await store.records.task(run.runId, taskId);
		if (task === undefined) throw new Error(`run ${run.runId} has no task ${taskId}`);
		const context = await runContext(drive, { signal, commit, vault, masker }, shared);
		await restoreIntegration(context);
		await restoreTask(context, task);
		const site = { ...context, checkpointer: await store.checkpointer(lease), keeper };
		await workOnTask(site, { taskId, slot });
	} finally {
		await kept.end();
	}
}
