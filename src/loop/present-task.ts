import type { PairPlan } from "../review/pair-session.ts";
import { seatsAt } from "../review/pair-session.ts";
import type { TaskRecord } from "../store/records.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { TaskContext } from "./context.ts";

/** The part of a task that is worked on now. */
export interface PresentSubtask {
	readonly id: string;
	/** From 0. */
	readonly index: number;
	/** The last one is judged by the criteria of the task as well. */
	readonly isLast: boolean;
}

/** What a pair was agreed on; null for a single agent. */
export function planOf({ task: { id }, workflow }: TaskContext): PairPlan | null {
	// As the file has it: who sits now, and what a person added to the bound, are no part of the plan.
	const task = workflow.tasks.find((each) => each.id === id);
	if (task?.pair === undefined) return null;
	const { pair } = task;
	return {
		driver: task.player,
		challenger: pair.challenger,
		roleSwitch: pair.roleSwitch ?? "session",
		checkpoints: pair.checkpoints ?? [],
		maxIterations: task.bound,
	};
}

/**
 * The context as a node of this moment sees it: the task with the agents that sit now, and with the description and
 * the criteria of the subtask that is worked on. A task without subtasks and without switching seats is its own.
 */
export async function presentContext(context: TaskContext): Promise<TaskContext> {
	const { task, records, run } = context;
	const switches = (task.pair?.roleSwitch ?? "session") !== "session";
	const parts = task.subtasks ?? [];
	if (!switches && parts.length === 0) return context;
	const record = await records.task(run.runId, task.id);
	const session = switches ? await records.pairSession(run.runId, task.id) : undefined;
	const seated = session === undefined ? task : withSeats(task, seatsAt(session.session));
	return { ...context, ...inSubtask(seated, record) };
}

function withSeats(
	task: TaskDefinition,
	seats: { readonly player: string; readonly coach: string },
): TaskDefinition {
	if (task.pair === undefined) return task;
	return { ...task, player: seats.player, pair: { ...task.pair, challenger: seats.coach } };
}

function inSubtask(
	task: TaskDefinition,
	record: TaskRecord | undefined,
): Pick<TaskContext, "task" | "subtask"> {
	const parts = task.subtasks ?? [];
	const index = Math.min(record?.subtask ?? 0, parts.length - 1);
	const part = parts[index];
	if (part === undefined) return { task, subtask: null };
	const isLast = index === parts.length - 1;
	return {
		task: {
			...task,
			description: `${task.description}\n\n## Subtask ${part.id} (${index + 1} of ${parts.length})\n\n${part.description}`,
			acceptanceCriteria: [...part.acceptanceCriteria, ...(isLast ? task.acceptanceCriteria : [])],
		},
		subtask: { id: part.id, index, isLast },
	};
}
