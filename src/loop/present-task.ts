import type { PairPlan } from "../review/pair-session.ts";
import { seatsAt } from "../review/pair-session.ts";
import type { TaskRecord } from "../store/records.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { TaskContext } from "./context.ts";
import type { TaskFacts } from "./task-facts.ts";

/** What a pair was agreed on; null for a single agent. */
export function planOf({
	task: { id },
	workflow,
}: Pick<TaskFacts, "task" | "workflow">): PairPlan | null {
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
		replaced: pair.replaced,
	};
}

/**
 * The facts as a node of this moment sees them: the task with the agents that sit now, and with the description and
 * the criteria of the subtask that is worked on. A task without subtasks and without switching seats is its own.
 */
export async function presentFacts(context: FactsSource): Promise<TaskFacts> {
	const { task, records, run, workflow, epoch } = context;
	const switches = (task.pair?.roleSwitch ?? "session") !== "session";
	const parts = task.subtasks ?? [];
	if (!switches && parts.length === 0) return { run, workflow, epoch, task, subtask: null };
	const record = await records.task(run.runId, task.id);
	const session = switches ? await records.pairSession(run.runId, task.id) : undefined;
	const seated = session === undefined ? task : withSeats(task, seatsAt(session.session));
	return { run, workflow, epoch, ...inSubtask(seated, record) };
}

type FactsSource = Pick<TaskContext, "run" | "workflow" | "task" | "epoch"> & {
	readonly records: Pick<TaskContext["records"], "task" | "pairSession">;
};

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
): Pick<TaskFacts, "task" | "subtask"> {
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
