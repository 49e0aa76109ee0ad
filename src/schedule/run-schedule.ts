import type { Records, TaskRecord, Write } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { obstacleOf, readinessOf, type ScheduleView } from "./readiness.ts";

/** What the schedule works with. */
export interface ScheduleContext {
	readonly runId: string;
	readonly workflow: Workflow;
	readonly records: Records;
	commit(writes: readonly Write[]): Promise<void>;
	/** Runs one task until it ends or needs a person. */
	runTask(taskId: string): Promise<void>;
	readonly signal: AbortSignal;
}

/** Runs the tasks one after another in dependency order, until none can continue without a person. */
export async function runSchedule(context: ScheduleContext): Promise<void> {
	for (;;) {
		context.signal.throwIfAborted();
		const tasks = await context.records.tasks(context.runId);
		const view = await viewOf(context, tasks);
		const blocked = tasks.filter((task) => readinessOf(task, view) === "blocked");
		for (const task of blocked) await block(context, task, view);
		if (blocked.length > 0) continue;
		const next = tasks.find((task) => readinessOf(task, view) === "ready");
		if (next === undefined) return;
		await context.runTask(next.taskId);
	}
}

async function viewOf(
	context: ScheduleContext,
	tasks: readonly TaskRecord[],
): Promise<ScheduleView> {
	const dependencies = new Map(context.workflow.tasks.map(({ id, dependsOn }) => [id, dependsOn]));
	const answered = new Set<string>();
	for (const { humanItem } of tasks) {
		if (humanItem === null) continue;
		const item = await context.records.item(humanItem);
		if (item?.status === "RESOLVED" || item?.status === "REJECTED") answered.add(humanItem);
	}
	return {
		tasks: new Map(tasks.map((task) => [task.taskId, task])),
		dependsOn: (id) => dependencies.get(id) ?? [],
		answered,
		merges: context.workflow.merge.into !== "none",
		reviews: new Set(
			context.workflow.tasks.flatMap(({ id, formalReview }) => (formalReview === true ? [id] : [])),
		),
	};
}

async function block(
	context: ScheduleContext,
	task: TaskRecord,
	view: ScheduleView,
): Promise<void> {
	const reason = obstacleOf(task, view);
	const timestamp = new Date().toISOString();
	await context.commit([
		{
			kind: "task",
			runId: context.runId,
			taskId: task.taskId,
			patch: {
				status: "blocked",
				phase: "failed",
				success: false,
				failureReason: reason,
				endedAt: timestamp,
			},
		},
		{
			kind: "event",
			run: context.runId,
			event: {
				type: "task-ended",
				task: task.taskId,
				turn: null,
				node: null,
				timestamp,
				data: { status: "blocked", reason, turns: 0, merged: false, flags: [], checkout: null },
			},
		},
	]);
}
