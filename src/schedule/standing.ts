import type { Records, StepKey, TaskRecord } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import {
	answeredItems,
	nearestToEnd,
	readinessOf,
	type ScheduleView,
	type StoppedTask,
	viewOf,
} from "./readiness.ts";

/** The step that says that a task was stopped; null again once somebody resumed its run. */
export const stoppedStep = ({
	runId,
	taskId,
}: Pick<TaskRecord, "runId" | "taskId">): StepKey<StoppedTask | null> => ({
	runId,
	taskId,
	turn: 0,
	step: "stopped",
});

/** Stand of the tasks of a run that several machines may work on. */
export interface RunStanding {
	readonly view: ScheduleView;
	/** Tasks that can be worked on now, at most `max_parallel`: those that were begun first. */
	readonly ready: readonly TaskRecord[];
	/** Tasks that could be worked on too, were it not for `max_parallel`. */
	readonly heldBack: readonly TaskRecord[];
	/** By task id: all of them where nothing is ready. They are not ready until their run is resumed. */
	readonly stopped: ReadonlyMap<string, StoppedTask>;
}

/** Looks at the tasks of a run; writes nothing. */
export async function standingOf(
	records: Pick<Records, "tasks" | "item" | "step">,
	runId: string,
	workflow: Workflow,
): Promise<RunStanding> {
	const tasks = await records.tasks(runId);
	const answered = new Set(await answeredItems(records, tasks));
	const byId = new Map(tasks.map((task) => [task.taskId, task]));
	const view = viewOf(workflow, { tasks: byId, answered });
	const stopped = new Map<string, StoppedTask>();
	const isStopped = async (task: TaskRecord): Promise<boolean> => {
		const why = (await records.step(stoppedStep(task))) ?? null;
		if (why !== null) stopped.set(task.taskId, why);
		return why !== null;
	};
	const ready: TaskRecord[] = [];
	const most = workflow.maxParallel;
	const begunOrReady = tasks.filter((task) => isBegun(task) || readinessOf(task, view) === "ready");
	for (const task of begunOrReady.toSorted(begunFirst)) {
		// Of those that nobody has begun no more are looked at than can be sent.
		const isOver = !isBegun(task) && ready.length >= most;
		if (!isOver && (await isStopped(task))) continue;
		if (readinessOf(task, view) === "ready") ready.push(task);
	}
	return { view, stopped, ready: ready.slice(0, most), heldBack: ready.slice(most) };
}

const isBegun = ({ status }: TaskRecord): boolean => status !== "pending" && status !== "completed";

function begunFirst(one: TaskRecord, other: TaskRecord): number {
	const rank = (task: TaskRecord): number => (isBegun(task) ? 0 : 1);
	return rank(one) - rank(other) || nearestToEnd(one, other);
}
