import type { RunRecord } from "../store/records.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";

/** The part of a task that is worked on now. */
export interface PresentSubtask {
	readonly id: string;
	/** From 0. */
	readonly index: number;
	/** The last one is judged by the criteria of the task as well. */
	readonly isLast: boolean;
}

/** What is fixed while a node works: read once when it begins. */
export interface TaskFacts {
	readonly run: RunRecord;
	readonly workflow: Workflow;
	/** With the agents that sit now, and the criteria of the present subtask. */
	readonly task: TaskDefinition;
	/** The part of the task that is worked on; null where it is one piece. */
	readonly subtask: PresentSubtask | null;
	/** How often the task was reopened; part of what names a piece of work. */
	readonly epoch: number;
}

/** A task with neither gate nor acceptance check: nothing tests what it does. */
export function isUntested({ task, workflow }: Pick<TaskFacts, "task" | "workflow">): boolean {
	const checked = workflow.checks.some(({ kind }) => kind === "acceptance");
	return !task.gate && !checked && task.formalReview !== true;
}

/** Whether the work may not merge: nothing tests it, and the workflow does not decline the gate in so many words. */
function isUnchecked(facts: Pick<TaskFacts, "task" | "workflow">): boolean {
	return isUntested(facts) && !facts.task.gateDeclined;
}

/** Why a task that is approved does not merge; null: it does. */
export function whyNotMerged(facts: Pick<TaskFacts, "task" | "workflow">): string | null {
	if (facts.task.formalReview === true) return "a formal review has nothing to merge";
	if (facts.workflow.merge.into === "none") return "merge.into is none";
	return isUnchecked(facts)
		? "unchecked: neither a gate nor an acceptance check, so nothing is merged"
		: null;
}

/** Whether an approval now is followed by the merge: it may merge, is in its last part, and waits for no person first. */
export function mergesNext(facts: Pick<TaskFacts, "task" | "workflow" | "subtask">): boolean {
	const { task, subtask } = facts;
	const isSigned = task.gate && task.gatePolicy?.riskTier === "T2";
	const isAsked = isSigned || (task.requiresHuman && task.human);
	return whyNotMerged(facts) === null && !isAsked && subtask?.isLast !== false;
}
