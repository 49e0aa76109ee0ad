import type { AgentValues } from "../../agents/agent.ts";
import type { Repository } from "../../git/repository.ts";
import type { RunRecord, TaskRecord } from "../../store/records.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { ResumeOptions, RunOptions } from "../sparring.ts";
import { settlePreflight } from "./preflight.ts";
import { lostTasks, seatProblems } from "./seat-problems.ts";

/** The tasks of a run whose seats are tried. */
export interface SeatsRequest {
	readonly workflow: Workflow;
	readonly repository: Repository;
	readonly baseCommit: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Agents that the program serves which runs the workflow. */
	readonly values: AgentValues;
	/** Null: the run does not exist yet. */
	readonly runId: string | null;
	readonly options: Pick<
		RunOptions & ResumeOptions,
		"onNotice" | "onPreflight" | "anyway" | "signal"
	>;
}

/**
 * Tries every seat before anything is created or continued.
 *
 * @returns tasks that cannot be done although the run goes on, with the reason
 * @throws Fault `preflight-refused` where the run is not to go on
 */
export async function tryTheSeats(request: SeatsRequest): Promise<ReadonlyMap<string, string>> {
	const { workflow, runId, options } = request;
	const problems = await seatProblems(workflow, { ...request, signal: options.signal });
	const again = runId === null ? "spar run" : `spar resume ${runId}`;
	await settlePreflight({
		problems,
		supervision: options,
		people: workflow.tasks.some(({ human }) => human),
		hint: `Once the cause is gone: ${again}\nTo go on as it is: ${again} --anyway`,
	});
	return lostTasks(workflow, problems);
}

/** The same for some tasks of a run that exists: those that are not over, and those that are reopened. */
export async function tryTheSeatsAgain(
	request: Omit<SeatsRequest, "baseCommit" | "runId">,
	{ runId, baseCommit }: Pick<RunRecord, "runId" | "baseCommit">,
	tasks: readonly TaskRecord[],
): Promise<ReadonlyMap<string, string>> {
	const open = new Set(tasks.map(({ taskId }) => taskId));
	const all = request.workflow;
	const workflow = { ...all, tasks: all.tasks.filter(({ id }) => open.has(id)) };
	return await tryTheSeats({ ...request, workflow, runId, baseCommit });
}
