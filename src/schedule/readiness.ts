import { Fault } from "../kernel/fault.ts";
import { isDelivered, type RunStatus, type TaskStatus } from "../kernel/task-state.ts";
import type { Records, TaskRecord, Write } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { runEvent, taskEnd } from "./run-writes.ts";

/** `waiting`: for a dependency or a person. `blocked`: can never start. */
type Readiness = "ready" | "waiting" | "blocked" | "ended";

export interface ScheduleView {
	readonly tasks: ReadonlyMap<string, TaskRecord>;
	readonly dependsOn: (taskId: string) => readonly string[];
	readonly answered: ReadonlySet<string>;
	readonly merges: boolean;
	readonly reviews: ReadonlySet<string>;
}

export function readinessOf(task: TaskRecord, view: ScheduleView): Readiness {
	switch (task.status) {
		case "completed":
		case "failed":
		case "blocked":
		case "cancelled":
			return "ended";
		case "running":
		case "needs_rework":
			return "ready";
		case "paused_for_human":
			return task.humanItem !== null && view.answered.has(task.humanItem) ? "ready" : "waiting";
		case "pending":
			return readinessOfPending(task, view);
	}
}

function readinessOfPending(task: TaskRecord, view: ScheduleView): Readiness {
	if (obstacleOf(task, view) !== null) return "blocked";
	const done = view
		.dependsOn(task.taskId)
		.every((id) => view.tasks.get(id)?.status === "completed");
	return done ? "ready" : "waiting";
}

// Null: it can start.
export function obstacleOf(task: TaskRecord, view: ScheduleView): string | null {
	for (const id of view.dependsOn(task.taskId)) {
		const needed = view.tasks.get(id);
		if (needed === undefined) return `depends on ${id}, which is not part of this run`;
		if (
			needed.status === "failed" ||
			needed.status === "blocked" ||
			needed.status === "cancelled"
		) {
			return `depends on ${id}, which is ${needed.status}`;
		}
		const isHeldBack = needed.status === "completed" && !isDelivered(needed);
		if (isHeldBack && view.merges && !view.reviews.has(id)) {
			return `depends on ${id}, which completed but was not merged`;
		}
	}
	return null;
}

/**
 * The status of a run whose tasks have all stopped: waiting for a person, before cancelled, failed and completed.
 *
 * @example `runStatusOf(["completed", "paused_for_human"])` is `"paused_for_user_escalation"`
 */
export function runStatusOf(statuses: readonly TaskStatus[]): RunStatus {
	if (statuses.includes("paused_for_human")) return "paused_for_user_escalation";
	if (statuses.includes("cancelled")) return "cancelled";
	if (statuses.some((status) => status === "failed" || status === "blocked")) return "failed";
	return statuses.every((status) => status === "completed") ? "completed" : "running";
}

export function viewOf(
	workflow: Workflow,
	{ tasks, answered }: Pick<ScheduleView, "tasks" | "answered">,
): ScheduleView {
	const dependencies = new Map(workflow.tasks.map(({ id, dependsOn }) => [id, dependsOn]));
	const reviews = workflow.tasks.flatMap(({ id, formalReview }) =>
		formalReview === true ? [id] : [],
	);
	return {
		tasks,
		answered,
		dependsOn: (id) => dependencies.get(id) ?? [],
		merges: workflow.merge.into !== "none",
		reviews: new Set(reviews),
	};
}

export async function answeredItems(
	records: Pick<Records, "item">,
	tasks: Iterable<TaskRecord>,
): Promise<string[]> {
	const answered: string[] = [];
	for (const { status, humanItem } of tasks) {
		if (status !== "paused_for_human" || humanItem === null) continue;
		const item = await records.item(humanItem);
		if (item?.status === "RESOLVED" || item?.status === "REJECTED") answered.push(humanItem);
	}
	return answered;
}

/** Tasks that can never start by now. */
export function newlyBlocked(view: ScheduleView): readonly TaskRecord[] {
	return [...view.tasks.values()].filter((task) => readinessOf(task, view) === "blocked");
}

// A task that waits for its merge is nearly done, and others may wait for it.
export function nearestToEnd(one: TaskRecord, other: TaskRecord): number {
	const rank = ({ phase }: TaskRecord): number => (phase === "merging" ? 0 : 1);
	return rank(one) - rank(other) || one.position - other.position;
}

export interface StoppedTask {
	readonly code: string | null;
	readonly message: string;
	readonly hint: string | null;
}

export function stoppedBy(error: unknown): StoppedTask {
	const message = error instanceof Error ? error.message : String(error);
	if (!(error instanceof Fault)) return { code: null, message, hint: null };
	return { code: error.code, message, hint: error.hint ?? null };
}

/**
 * Event of a task that an error stopped.
 *
 * @param othersGoOn left out where that is not known
 */
export function stoppedEvent(
	run: string,
	task: string,
	error: unknown,
	othersGoOn?: boolean,
): Write {
	const told = stoppedBy(error);
	const data = othersGoOn === undefined ? told : { ...told, others_go_on: othersGoOn };
	return runEvent(run, "task-stopped", data, { task });
}

/** Writes for a task that can never start. */
export function blockedWrites(task: TaskRecord, view: ScheduleView): Write[] {
	const reason = obstacleOf(task, view);
	return taskEnd(task, { status: "blocked", reason, timestamp: new Date().toISOString() });
}
