import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import type { Records } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { RunTaskOptions, RunTasksOptions } from "./library.ts";
import { newestRecord } from "./load-state.ts";
import type { RunOptions, RunReport } from "./sparring.ts";
import { type TaskResult, taskResult } from "./task-result.ts";

/** What running by name is made of. */
export interface TaskRunner {
	/** The workflow of a source without errors. */
	workflowOf(source: RunOptions["source"]): Promise<Workflow>;
	run(options: RunOptions): Promise<RunReport>;
}

/** See `SparringLibrary.runTask`. */
export async function runTask(
	runner: TaskRunner,
	taskId: string,
	{ featureId, ...options }: RunTaskOptions,
): Promise<TaskResult> {
	requireLabel(featureId);
	const { workflow, report } = await runNamed(runner, [taskId], options, (task) =>
		featureId === undefined || task.id !== taskId ? task : { ...task, featureId },
	);
	return resultIn(report, workflow, taskId);
}

/** See `SparringLibrary.runParallel`. */
export async function runParallel(
	runner: TaskRunner,
	taskIds: readonly string[],
	options: RunTasksOptions,
): Promise<Readonly<Record<string, TaskResult>>> {
	// To `run`, no names mean all tasks.
	if (taskIds.length === 0) return {};
	const { workflow, report } = await runNamed(runner, taskIds, options, (task) => task);
	return Object.fromEntries(taskIds.map((id) => [id, resultIn(report, workflow, id)]));
}

/** See `SparringLibrary.resume` with the id of a task. */
export async function resumeTask(
	records: Records,
	taskId: string,
	{
		maxTurns,
		resume,
		status,
	}: {
		readonly maxTurns: number | undefined;
		readonly resume: (runId: string) => Promise<RunReport>;
		readonly status: (runId: string) => Promise<RunReport>;
	},
): Promise<TaskResult> {
	const task = await newestRecord(records, taskId);
	if (task === undefined) {
		throw new Fault(`no run has a task ${JSON.stringify(taskId)}`, {
			code: "task-not-found",
			hint: "Start it with runTask, or see which tasks there are with `spar status`.",
		});
	}
	const { runId } = task;
	const isOver = isEnded(task.status) && maxTurns === undefined;
	const report = isOver ? await status(runId) : await resume(runId);
	const run = await records.run(runId);
	if (run === undefined) throw new Error(`there is no run ${runId}`);
	return resultIn(report, run.workflow, taskId);
}

async function runNamed(
	runner: TaskRunner,
	taskIds: readonly string[],
	{ source = { kind: "file" }, ...options }: RunTasksOptions,
	change: (task: Workflow["tasks"][number]) => Workflow["tasks"][number],
): Promise<{ readonly workflow: Workflow; readonly report: RunReport }> {
	const loaded = await runner.workflowOf(source);
	const workflow = { ...loaded, tasks: loaded.tasks.map(change) };
	const report = await runner.run({ ...options, taskIds, source: { kind: "loaded", workflow } });
	return { workflow, report };
}

function resultIn({ tasks }: RunReport, workflow: Workflow, taskId: string): TaskResult {
	const definition = workflow.tasks.find(({ id }) => id === taskId);
	return taskResult(taskId, tasks, definition?.dependsOn ?? []);
}

/** As the schema of the workflow file has it. */
function requireLabel(featureId: string | undefined): void {
	if (featureId === undefined || (/\S/.test(featureId) && !/\p{Cc}/u.test(featureId))) return;
	throw new Fault(`featureId ${JSON.stringify(featureId)} is not a label on one line`, {
		code: "usage",
		hint: "Give it as the workflow file has it, such as FEAT-12.",
	});
}
