import type { EvidenceStore } from "../judge/ports.ts";
import { BASELINE_TURN } from "../judge/stand.ts";
import { type PairPlan, seatsAt } from "../review/pair-session.ts";
import { stepWrite, type TaskRecord } from "../store/records.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { Ground, TaskContext, TaskFacts } from "./context.ts";
import type { Journal } from "./records/task-log.ts";
import { attemptOf, taskReader } from "./records/task-reader.ts";
import type { TaskState } from "./state.ts";

/** Plan of a pair; null for a single agent. */
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

/** The part of a task that is worked on now, with its present seats. */
export async function presentFacts({
	task,
	records,
	run: { runId },
}: Pick<TaskContext, "run" | "task" | "records">): Promise<Pick<TaskFacts, "task" | "subtask">> {
	const switches = (task.pair?.roleSwitch ?? "session") !== "session";
	if (!switches && (task.subtasks ?? []).length === 0) return { task, subtask: null };
	const session = switches ? await records.pairSession(runId, task.id) : undefined;
	const seated = session === undefined ? task : withSeats(task, seatsAt(session.session));
	return inSubtask(seated, await records.task(runId, task.id));
}

/** A task's ground for one node. */
export async function groundOf(
	context: TaskContext,
	state: TaskState,
	log: Journal,
): Promise<Ground> {
	const facts = await presentFacts(context);
	const read = taskReader(context.records, log, facts.subtask?.id ?? null);
	const own = { ...context, ...facts, state, read, log };
	return { ...own, evidence: taskEvidence(own) };
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

export function isUntested({ task, workflow }: Pick<TaskFacts, "task" | "workflow">): boolean {
	const checked = workflow.checks.some(({ kind }) => kind === "acceptance");
	return !task.gate && !checked && task.formalReview !== true;
}

function isUnchecked(facts: Pick<TaskFacts, "task" | "workflow">): boolean {
	return isUntested(facts) && !facts.task.gateDeclined;
}

export function whyNotMerged(facts: Pick<TaskFacts, "task" | "workflow">): string | null {
	if (facts.task.formalReview === true) return "a formal review has nothing to merge";
	if (facts.workflow.merge.into === "none") return "merge.into is none";
	return isUnchecked(facts)
		? "unchecked: neither a gate nor an acceptance check, so nothing is merged"
		: null;
}

/** Tells whether an approval now is followed by the merge: the last part, and no person is asked first. */
export function mergesNext(facts: Pick<TaskFacts, "task" | "workflow" | "subtask">): boolean {
	const { task, subtask } = facts;
	const isSigned = task.gate && task.gatePolicy?.riskTier === "T2";
	const isAsked = isSigned || (task.requiresHuman && task.human);
	return whyNotMerged(facts) === null && !isAsked && subtask?.isLast !== false;
}

/** The judge's store of evidence in the records of a task's turn. */
function taskEvidence({
	commit,
	records,
	read,
	log,
	state,
}: Pick<Ground, "commit" | "records" | "read" | "log" | "state">): EvidenceStore {
	const { runId, taskId } = log;
	return {
		turn: log.turn,
		attempt: (nth) => attemptOf(state.items, nth),
		ofWork: () => read.evidence(log.turn),
		ofBase: () => read.allEvidence(BASELINE_TURN),
		startCommit: async () => (await read.task()).startCommit,
		elsewhere: (tree, of) => records.evidenceFor(runId, tree, of),
		keep: async (evidence, attempt, told) => {
			const turn = evidence.purpose === "baseline" ? BASELINE_TURN : log.turn;
			await commit([
				{ kind: "evidence", runId, taskId, turn, attempt, evidence },
				log.event("check-ran", told),
			]);
		},
		part: (name) => read.step(log.key(name)),
		keepPart: (name, result) => commit([stepWrite(log.key(name), result)]),
		tell: (type, data) => commit([log.event(type, data)]),
	};
}
