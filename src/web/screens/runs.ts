import { asked } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import { snake } from "../../kernel/snake-case.ts";
import type { LastSaid } from "../../library/task-logs.ts";
import { waitingTasks } from "../../machines/awaited.ts";
import { findRun } from "../../places/find-run.ts";
import type { Store } from "../../places/store.ts";
import type { RunOverview } from "../../store/overviews.ts";
import type { TaskRecord } from "../../store/records.ts";
import { totalOf } from "../../store/spending.ts";
import { type ReportFacts, taskFacts, taskStand, usageOf } from "../../view/run-report.ts";
import { runSummary, stoppedPreflight } from "../../view/run-summary.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import type { ActionState, RunDetail, RunRow, RunsPage, TaskRow } from "../protocol.ts";
import type { Screens } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { inboxItems } from "./inbox.ts";

async function runRow(store: Store, run: RunOverview): Promise<RunRow> {
	return {
		...(await runSummary(store, run)),
		...snake(run, "pruned", "cancelRequested", "costUsd"),
		unknown_cost_calls: run.unknownCalls,
		held_ms: Math.round(run.heldMs),
	};
}

export async function runsPage(
	ground: ScreenGround,
	{ filter, before, limit }: Parameters<Screens["runs"]>[0],
): Promise<RunsPage> {
	const store = await ground.store();
	if (store === null) return { cursor: 0, runs: [], next: null };
	const cursor = await store.records.newestEvent();
	const found = await store.records.runPage({ selection: filter, before, limit: limit + 1 });
	const shown = found.slice(0, limit);
	const runs: RunRow[] = [];
	for (const run of shown) runs.push(await runRow(store, run));
	const next = found.length > limit ? (shown.at(-1)?.runId ?? null) : null;
	return { cursor, next, runs: maskedValue(ground.masks.plain(), runs) };
}

export function taskRow(
	task: TaskRecord,
	facts: ReportFacts,
	saidLast: ReadonlyMap<string, LastSaid>,
): TaskRow {
	const definition = facts.definitions.get(task.taskId);
	const said = saidLast.get(task.taskId);
	return {
		id: task.taskId,
		title: definition === undefined ? task.taskId : splitTitle(definition).title,
		depends_on: definition?.dependsOn ?? [],
		formal_review: definition?.formalReview === true,
		...taskStand(task, facts),
		...snake(task, "bound", "startedAt", "endedAt"),
		last_said: said === undefined ? null : { line: said.line, at: new Date(said.at).toISOString() },
	};
}

async function overviewOf({ records }: Store, runId: string): Promise<RunOverview> {
	const overview = await records.runOverview(runId);
	if (overview !== undefined) return overview;
	throw new Fault(`there is no run ${runId} in this repository`, {
		code: "run-not-found",
		hint: "See which there are: spar runs",
	});
}

export async function runDetail(
	ground: ScreenGround,
	runId: string,
	lastAction: ActionState | null,
): Promise<RunDetail> {
	const store = await ground.existing();
	const { records } = store;
	const cursor = await records.newestEvent();
	const overview = await overviewOf(store, runId);
	const run = await findRun(records, runId);
	const tasks = await records.tasks(runId);
	const facts = await taskFacts(records, run, tasks);
	const said = await ground.sparring.lastSaid(runId);
	const total = totalOf(facts.spending.tasks);
	const open = asked(await records.openItems()).filter((item) => item.runId === runId);
	const row = await runRow(store, overview);
	const detail: RunDetail = {
		...row,
		cursor,
		branch: run.branch,
		base_commit: run.baseCommit,
		...usageOf(run.workflow.budget, facts.spending, total, facts.spending.heldMs),
		...(await waitingTasks(store, run)),
		preflight_stopped: await stoppedPreflight(
			{ status: run.status, isHeld: row.holder !== null, calls: total.calls },
			() => records.events(runId),
		),
		task_rows: tasks.map((task) => taskRow(task, facts, said)),
		items: await inboxItems(ground, store, open),
		last_action: lastAction,
	};
	return maskedValue(await ground.masks.of(run), detail);
}
