import { verificationStep } from "../loop/records/turn-verification.ts";
import { gateReportStep, type Records, type RunRecord, type TaskRecord } from "../store/records.ts";
import type { RunReport } from "./report.ts";
import type { RunView } from "./run-view.ts";
import { type TaskRows, type TurnRows, viewOf } from "./view-of.ts";

const ALL_TURNS = 1_000_000;

/**
 * The view of a run, from the store.
 *
 * @param report of the run, as it stands now
 * @param tasks ids of the tasks that are told; left out: all
 */
export async function readView(
	records: Records,
	run: RunRecord,
	report: RunReport,
	tasks?: readonly string[],
): Promise<RunView> {
	const { runId } = run;
	const told = (await records.tasks(runId)).filter(({ taskId }) => tasks?.includes(taskId) ?? true);
	const events = await Promise.all(told.map(({ taskId: task }) => records.events(runId, { task })));
	const rows: TaskRows[] = [];
	for (const task of told) rows.push(...(await taskRows(records, run, report, task)));
	return viewOf(events.flat(), {
		run,
		report,
		heldMs: (await records.spending(runId)).heldMs,
		items: await records.items(runId),
		tasks: rows,
	});
}

async function taskRows(
	records: Records,
	run: RunRecord,
	{ tasks }: RunReport,
	task: TaskRecord,
): Promise<TaskRows[]> {
	const { runId, taskId } = task;
	const report = tasks[taskId];
	const definition = run.workflow.tasks.find(({ id }) => id === taskId);
	if (report === undefined || definition === undefined) return [];
	const findings = await records.findings(runId, taskId);
	return [
		{
			task,
			definition,
			report,
			findings,
			conflicts: findings.length === 0 ? [] : await records.conflicts(runId, taskId),
			baseline: await records.evidence(runId, taskId, 0),
			calls: await records.taskCalls(runId, taskId),
			firstGate: await records.step(gateReportStep(task, 0)),
			turns: await turnRows(records, task),
		},
	];
}

async function turnRows(records: Records, task: TaskRecord): Promise<TurnRows[]> {
	const { runId, taskId } = task;
	const known = await records.turns(runId, taskId, ALL_TURNS);
	const byTurn = new Map(known.map((record) => [record.turn, record]));
	const rows: TurnRows[] = [];
	for (let turn = 1; turn <= task.turns; turn += 1)
		rows.push({
			turn,
			record: byTurn.get(turn),
			evidence: await records.evidence(runId, taskId, turn),
			verification: await records.step(verificationStep(task, turn)),
			gate: await records.step(gateReportStep(task, turn)),
		});
	return rows;
}
