import type { Sparring } from "../app/sparring.ts";
import { Fault } from "../kernel/fault.ts";

/**
 * The task that a reader is about: the named one, or the only one of the run.
 *
 * @throws Fault `usage` where the run has several, `run-not-found`
 */
export async function onlyTask(
	sparring: Pick<Sparring, "status">,
	named: string | undefined,
	runId: string | undefined,
): Promise<string> {
	if (named !== undefined) return named;
	const { run_id, tasks } = await sparring.status(runId);
	const [only = "", ...others] = Object.keys(tasks);
	if (others.length === 0) return only;
	throw new Fault(`run ${run_id} has ${others.length + 1} tasks, and none is named`, {
		code: "usage",
		hint: `Name one of them: ${Object.keys(tasks).join(", ")}`,
	});
}
