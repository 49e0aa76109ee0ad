import { Fault } from "../../kernel/fault.ts";
import { taskDiff } from "../../library/task-diff.ts";
import { findRun } from "../../places/find-run.ts";
import { bringShared } from "../../places/remote-ground.ts";
import type { Records, RunRecord, TaskRecord } from "../../store/records.ts";
import type { TaskDetail } from "../protocol.ts";
import type { DiffRange, TaskPlace } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { lastWords } from "./runs.ts";

export async function findTask(
	records: Records,
	{ run: runId, task }: TaskPlace,
): Promise<{ readonly run: RunRecord; readonly task: TaskRecord }> {
	const run = await findRun(records, runId);
	const found = await records.task(runId, task);
	if (found !== undefined) return { run, task: found };
	throw new Fault(`run ${runId} has no task ${task}`, {
		code: "task-not-found",
		hint: `See its tasks: spar status ${runId}`,
	});
}

export async function taskDetail(ground: ScreenGround, place: TaskPlace): Promise<TaskDetail> {
	const { records } = await ground.existing();
	const cursor = await records.newestEvent();
	const { run, task: of } = await findTask(records, place);
	const view = await ground.sparring.result(run.runId, [of.taskId]);
	const [task] = view.tasks;
	if (task === undefined) throw new Error(`run ${run.runId} does not tell of task ${of.taskId}`);
	const said = await ground.sparring.lastSaid(run.runId, [of.taskId]);
	const detail: TaskDetail = { cursor, run: view.run, task, last_said: lastWords(said) };
	return maskedValue(await ground.masks.of(run), detail);
}

export async function diffText(
	ground: ScreenGround,
	place: TaskPlace,
	{ turn, since }: DiffRange,
): Promise<string> {
	const { records } = await ground.existing();
	const { run, task } = await findTask(records, place);
	const repository = await ground.repository();
	await bringShared(repository, run, { env: ground.env, tasks: [task.taskId] });
	const wanted = {
		run,
		task: task.taskId,
		turn: turn ?? undefined,
		since: since ?? undefined,
	};
	return (await ground.masks.of(run)).mask(await taskDiff(records, repository, wanted));
}
