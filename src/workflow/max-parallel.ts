import { Fault } from "../kernel/fault.ts";
import { MOST_PARALLEL } from "./limits.ts";
import type { Workflow } from "./workflow.ts";

/**
 * A workflow with another number of tasks at once; the same workflow where none is given.
 *
 * @throws Fault `usage` for a number that is not whole or not from 1 to `MOST_PARALLEL`
 */
export function withMaxParallel(workflow: Workflow, maxParallel: number | undefined): Workflow {
	if (maxParallel === undefined) return workflow;
	if (Number.isInteger(maxParallel) && maxParallel >= 1 && maxParallel <= MOST_PARALLEL)
		return { ...workflow, maxParallel };
	throw new Fault(`${maxParallel} tasks at once cannot be run`, {
		code: "usage",
		hint: `Give maxParallel a whole number from 1 to ${MOST_PARALLEL}.`,
	});
}
