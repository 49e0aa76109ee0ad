import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import type { Records } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { ResumeTaskOptions, RunTaskOptions, RunTasksOptions } from "./library.ts";
import { newestRecord } from "./load-state.ts";
import type { ResumeOptions, RunOptions, RunReport, Supervision } from "./sparring.ts";
import { type ReportedTasks, type TaskResult, taskResult } from "./task-result.ts";

export interface TaskRunner {
	/** The workflow of a source without errors. */
	workflowOf(source: RunOptions["source"]): Promise<Workflow>;
	run(options: RunOptions): Promise<RunReport>;
	/** The report of a run that stopped, its traces written. */
	stopped(runId: string): Promise<RunReport>;
}

export async function runTask(
	runner: TaskRunner,
	taskId: string,
	{ featureId, ...options }: RunTaskOptions,
): Promise<TaskResult> {
	requireLabel(featureId);
	const ran = await runNamed(runner, [taskId], options, (task) =>
		featureId === undefined || task.id !== taskId ? task : { ...task, featureId },
	);
	return taskResult(taskId, ran);
}

export async function runParallel(
	runner: TaskRunner,
	taskIds: readonly string[],
	options: RunTasksOptions,
): Promise<Readonly<Record<string, TaskResult>>> {
	// To `run`, no names mean all tasks.
	if (taskIds.length === 0) return {};
	const ran = await runNamed(runner, taskIds, options, (task) => task);
	return Object.fromEntries(taskIds.map((id) => [id, taskResult(id, ran)]));
}

export interface TaskResumer {
	readonly records: Records;
	resume(options: ResumeOptions): Promise<RunReport>;
	status(runId: string): Promise<RunReport>;
	stopped: TaskRunner["stopped"];
}

export async function resumeTask(
	{ records, ...resumer }: TaskResumer,
	taskId: string,
	options: ResumeTaskOptions,
): Promise<TaskResult> {
	const task = await newestRecord(records, taskId);
	if (task === undefined) {
		throw new Fault(`no run has a task ${JSON.stringify(taskId)}`, {
			code: "task-not-found",
			hint: "Start it with runTask, or see which tasks there are with `spar status`.",
		});
	}
	const { runId } = task;
	const run = await records.run(runId);
	if (run === undefined) throw new Error(`there is no run ${runId}`);
	const isOver = isEnded(task.status) && options.maxTurns === undefined;
	const ended = isOver
		? { report: await resumer.status(runId), stopped: new Map<string, unknown>() }
		: await untilStopped(options, resumer, (supervision) =>
				resumer.resume({ ...options, ...supervision, runId }),
			);
	return taskResult(taskId, reported(ended, run.workflow));
}

async function runNamed(
	runner: TaskRunner,
	taskIds: readonly string[],
	{ source = { kind: "file" }, ...options }: RunTasksOptions,
	change: (task: Workflow["tasks"][number]) => Workflow["tasks"][number],
): Promise<ReportedTasks> {
	const loaded = await runner.workflowOf(source);
	const workflow = { ...loaded, tasks: loaded.tasks.map(change) };
	const ended = await untilStopped(options, runner, (supervision) =>
		runner.run({ ...options, ...supervision, taskIds, source: { kind: "loaded", workflow } }),
	);
	return reported(ended, workflow);
}

interface Ended {
	readonly report: RunReport;
	readonly stopped: ReadonlyMap<string, unknown>;
}

/** Takes a run as far as it goes. An error that stopped a task is no error here: it is that task's result. */
async function untilStopped(
	{ onEvent, onStopped }: Supervision,
	runner: Pick<TaskRunner, "stopped">,
	work: (supervision: Pick<Supervision, "onEvent" | "onStopped">) => Promise<RunReport>,
): Promise<Ended> {
	const stopped = new Map<string, unknown>();
	let runId: string | undefined;
	try {
		const report = await work({
			onEvent: (event) => {
				runId = event.run;
				onEvent?.(event);
			},
			onStopped: (taskId, error) => {
				stopped.set(taskId, error);
				onStopped?.(taskId, error);
			},
		});
		return { report, stopped };
	} catch (error) {
		if (runId === undefined || ![...stopped.values()].includes(error)) throw error;
		return { report: await runner.stopped(runId), stopped };
	}
}

function reported({ report: { tasks }, stopped }: Ended, workflow: Workflow): ReportedTasks {
	const dependencies = new Map(workflow.tasks.map(({ id, dependsOn }) => [id, dependsOn]));
	return { tasks, stopped, dependsOn: (id) => dependencies.get(id) ?? [] };
}

function requireLabel(featureId: string | undefined): void {
	if (featureId === undefined || (/\S/.test(featureId) && !/\p{Cc}/u.test(featureId))) return;
	throw new Fault(`featureId ${JSON.stringify(featureId)} is not a label on one line`, {
		code: "usage",
		hint: "Give it as the workflow file has it, such as FEAT-12.",
	});
}
