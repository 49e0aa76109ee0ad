import type { Supervision } from "../drive/run-options.ts";
import { writeTraces } from "../drive/trace-file.ts";
import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import { findRun } from "../places/find-run.ts";
import type { RunReport } from "../view/report.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { newestRecord } from "./load-state.ts";
import type { Opened } from "./opened.ts";
import type { ResumeTaskOptions, RunTaskOptions, RunTasksOptions } from "./sparring.ts";
import { type ReportedTasks, type TaskResult, taskResult } from "./task-result.ts";
import type { VerbMethods } from "./verbs/table.ts";

/** The methods of whole runs. */
type Runs = Pick<VerbMethods, "run" | "resume">;

export async function runTask(
	own: Opened,
	runs: Runs,
	taskId: string,
	{ featureId, ...options }: RunTaskOptions,
): Promise<TaskResult> {
	requireLabel(featureId);
	const ran = await runNamed(own, runs, [taskId], options, (task) =>
		featureId === undefined || task.id !== taskId ? task : { ...task, featureId },
	);
	return taskResult(taskId, ran);
}

export async function runParallel(
	own: Opened,
	runs: Runs,
	taskIds: readonly string[],
	options: RunTasksOptions,
): Promise<Readonly<Record<string, TaskResult>>> {
	// To `run`, no names mean all tasks.
	if (taskIds.length === 0) return {};
	const ran = await runNamed(own, runs, taskIds, options, (task) => task);
	return Object.fromEntries(taskIds.map((id) => [id, taskResult(id, ran)]));
}

export async function resumeTask(
	own: Opened,
	runs: Runs,
	taskId: string,
	options: ResumeTaskOptions,
): Promise<TaskResult> {
	const { records } = await own.existing();
	const task = await newestRecord(records, taskId);
	if (task === undefined) {
		throw new Fault(`no run has a task ${JSON.stringify(taskId)}`, {
			code: "task-not-found",
			hint: "Start it with runTask, or see which tasks there are with `spar status`.",
		});
	}
	const { runId } = task;
	const { workflow } = await findRun(records, runId);
	const isOver = isEnded(task.status) && options.maxTurns === undefined;
	const ran = isOver
		? reported(await own.report(await own.run(runId)), new Map(), workflow)
		: await untilStopped(own, workflow, options, (told) =>
				runs.resume({ ...options, ...told, runId }),
			);
	return taskResult(taskId, ran);
}

async function runNamed(
	own: Opened,
	runs: Runs,
	taskIds: readonly string[],
	{ source = { kind: "file" }, ...options }: RunTasksOptions,
	change: (task: Workflow["tasks"][number]) => Workflow["tasks"][number],
): Promise<ReportedTasks> {
	const loaded = await own.workflowOf(source);
	const workflow = { ...loaded, tasks: loaded.tasks.map(change) };
	return await untilStopped(own, workflow, options, (told) =>
		runs.run({ ...options, ...told, taskIds, source: { kind: "loaded", workflow } }),
	);
}

// An error that stopped a task is no error here: it is that task's result.
async function untilStopped(
	own: Opened,
	workflow: Workflow,
	{ onEvent, onStopped }: Supervision,
	work: (told: Pick<Supervision, "onEvent" | "onStopped">) => Promise<RunReport>,
): Promise<ReportedTasks> {
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
		return reported(report, stopped, workflow);
	} catch (error) {
		if (runId === undefined || ![...stopped.values()].includes(error)) throw error;
		// A run that an error stopped wrote no traces at its end.
		await writeTraces(await own.openStore(), runId);
		return reported(await own.report(await own.run(runId)), stopped, workflow);
	}
}

function reported(
	{ tasks }: RunReport,
	stopped: ReadonlyMap<string, unknown>,
	workflow: Workflow,
): ReportedTasks {
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
