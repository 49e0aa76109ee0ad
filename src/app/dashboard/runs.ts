import { asked } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import type { RunOverview } from "../../store/overviews.ts";
import type { LeaseHolder, RunRecord, TaskRecord } from "../../store/records.ts";
import { type RunSpending, spendingOf, totalOf } from "../../store/spending.ts";
import type {
	ActionState,
	HolderView,
	RunDetail,
	RunFilter,
	RunRow,
	RunsPage,
	TaskRow,
} from "../../web/protocol.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import { blockersOf } from "../blocked-by.ts";
import { findRun } from "../find-run.ts";
import { waitingTasks } from "../machines/unclaimed.ts";
import { budgetReport, usageReport } from "../run-report.ts";
import { answeredTasks } from "../run-summary.ts";
import { stoppedPreflight } from "../stopped-preflight.ts";
import type { Store } from "../store.ts";
import type { LastSaid } from "../task-logs.ts";
import type { Ground } from "./ground.ts";
import { inboxItems } from "./inbox.ts";
import { maskedValue } from "./run-masks.ts";

function holderView(holder: LeaseHolder | undefined): HolderView | null {
	if (holder === undefined) return null;
	const { host, pid, since, seenAt } = holder;
	return { host, pid, since, seen_at: seenAt };
}

async function runRow({ records, leases, machines }: Store, run: RunOverview): Promise<RunRow> {
	const paused = run.waiting === 0 ? [] : await records.tasks(run.runId);
	return {
		run_id: run.runId,
		workflow: run.workflow,
		status: run.status,
		base: run.baseBranch,
		created_at: run.createdAt,
		ended_at: run.endedAt,
		landed: run.landedCommit !== null,
		pruned: run.pruned,
		cancel_requested: run.cancelRequested,
		holder: holderView(await leases.holder(run.runId)),
		shared: machines !== null,
		tasks: {
			total: run.total,
			completed: run.completed,
			failed: run.failed,
			blocked: run.blocked,
			cancelled: run.cancelled,
			waiting: run.waiting,
			answered: (await answeredTasks(records, paused)).size,
		},
		cost_usd: run.costUsd,
		unknown_cost_calls: run.unknownCalls,
		held_ms: Math.round(run.heldMs),
	};
}

/** Some of the runs of the repository. */
export async function runsPage(
	ground: Ground,
	{
		filter,
		before,
		limit,
	}: { readonly filter: RunFilter; readonly before: string | null; readonly limit: number },
): Promise<RunsPage> {
	const store = await ground.store();
	if (store === null) return { cursor: 0, runs: [], next: null };
	const cursor = await store.records.newestEvent();
	const found = await store.records.runPage({ selection: filter, before, limit: limit + 1 });
	const shown = found.slice(0, limit);
	const runs: RunRow[] = [];
	for (const run of shown) runs.push(await runRow(store, run));
	const next = found.length > limit ? (shown.at(-1)?.runId ?? null) : null;
	return { cursor, next, runs: maskedValue([ground.masks.plain()], runs) };
}

/** What the rows of a run's tasks are made of. */
interface RowFacts {
	readonly spending: RunSpending;
	readonly blockers: ReturnType<typeof blockersOf>;
	readonly said: ReadonlyMap<string, LastSaid>;
	readonly answered: ReadonlySet<string>;
}

/** A task in a line. */
export function taskRow(run: RunRecord, task: TaskRecord, facts: RowFacts): TaskRow {
	const definition = run.workflow.tasks.find(({ id }) => id === task.taskId);
	const own = spendingOf(facts.spending, task.taskId);
	const said = facts.said.get(task.taskId);
	return {
		id: task.taskId,
		title: definition === undefined ? task.taskId : splitTitle(definition).title,
		depends_on: definition?.dependsOn ?? [],
		formal_review: definition?.formalReview === true,
		status: task.status,
		phase: task.phase,
		turns: task.turns,
		bound: task.bound,
		failure_reason: task.failureReason,
		blocked_by: facts.blockers.get(task.taskId) ?? null,
		flags: task.flags,
		merged: task.merged,
		challenger_approved: task.challengerApproved,
		confidence_score: task.confidenceScore,
		verification: task.verification,
		gate: task.gate === null ? null : { risk_tier: task.gate.riskTier, verdict: task.gate.verdict },
		open_findings: task.openFindings,
		human_item: task.humanItem,
		human_item_answered: facts.answered.has(task.taskId),
		started_at: task.startedAt,
		ended_at: task.endedAt,
		usage: usageReport(own),
		budget: budgetReport(definition?.budget, own, own.costUsd, own.workMs),
		last_said: said === undefined ? null : { line: said.line, at: new Date(said.at).toISOString() },
	};
}

/**
 * What is needed to make rows of tasks of a run.
 *
 * @param tasks all of them
 * @param shown ids of those that rows are made of
 */
export async function rowFacts(
	ground: Ground,
	{ records }: Store,
	run: RunRecord,
	tasks: readonly TaskRecord[],
	shown: readonly string[] = tasks.map(({ taskId }) => taskId),
): Promise<RowFacts> {
	const definitions = new Map(run.workflow.tasks.map((task) => [task.id, task]));
	return {
		spending: await records.spending(run.runId),
		blockers: blockersOf(tasks, (id) => definitions.get(id)?.dependsOn ?? []),
		said: await ground.sparring.lastSaid(run.runId, shown),
		answered: await answeredTasks(records, tasks),
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

/** A run with its tasks. @throws Fault `run-not-found` */
export async function runDetail(
	ground: Ground,
	runId: string,
	lastAction: ActionState | null,
): Promise<RunDetail> {
	const store = await ground.existing();
	const { records, leases } = store;
	const cursor = await records.newestEvent();
	const overview = await overviewOf(store, runId);
	const run = await findRun(records, runId);
	const holder = await leases.holder(runId);
	const tasks = await records.tasks(runId);
	const facts = await rowFacts(ground, store, run, tasks);
	const total = totalOf(facts.spending.tasks);
	const open = asked(await records.openItems()).filter((item) => item.runId === runId);
	const detail: RunDetail = {
		...(await runRow(store, overview)),
		cursor,
		branch: run.branch,
		base_commit: run.baseCommit,
		usage: usageReport(total),
		budget: budgetReport(run.workflow.budget, facts.spending, total.costUsd, facts.spending.heldMs),
		...(await waitingTasks(store, run)),
		preflight_stopped: await stoppedPreflight(
			{ status: run.status, isHeld: holder !== undefined, calls: total.calls },
			() => records.events(runId),
		),
		task_rows: tasks.map((task) => taskRow(run, task, facts)),
		items: await inboxItems(ground, store, open),
		last_action: lastAction,
	};
	return maskedValue([await ground.masks.of(run)], detail);
}
