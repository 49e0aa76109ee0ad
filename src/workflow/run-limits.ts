import { Fault } from "../kernel/fault.ts";
import { MOST_PARALLEL, MOST_TURNS } from "./limits.ts";
import type { Workflow } from "./workflow.ts";

/** A workflow whose tasks have this many turns; a pair's own `max_iterations` still counts if it is smaller. */
export function withMaxTurns(workflow: Workflow, maxTurns: number | undefined): Workflow {
	if (maxTurns === undefined) return workflow;
	requireMaxTurns(maxTurns);
	const tasks = workflow.tasks.map((task) => ({
		...task,
		maxTurns,
		bound: Math.min(maxTurns, task.pair?.maxIterations ?? maxTurns),
	}));
	return { ...workflow, tasks };
}

/** @throws Fault `usage` for a number that is not whole or not from 1 to `MOST_TURNS` */
export function requireMaxTurns(maxTurns: number): void {
	if (Number.isInteger(maxTurns) && maxTurns >= 1 && maxTurns <= MOST_TURNS) return;
	throw new Fault(`a task cannot have ${maxTurns} turns`, {
		code: "usage",
		hint: `Give maxTurns a whole number from 1 to ${MOST_TURNS.toLocaleString("en")}.`,
	});
}

/** A workflow with another number of tasks at once. Throws `usage` for a number out of range. */
export function withMaxParallel(workflow: Workflow, maxParallel: number | undefined): Workflow {
	if (maxParallel === undefined) return workflow;
	if (Number.isInteger(maxParallel) && maxParallel >= 1 && maxParallel <= MOST_PARALLEL)
		return { ...workflow, maxParallel };
	throw new Fault(`${maxParallel} tasks at once cannot be run`, {
		code: "usage",
		hint: `Give maxParallel a whole number from 1 to ${MOST_PARALLEL}.`,
	});
}
