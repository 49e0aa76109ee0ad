import type { Evidence } from "../evidence/evidence.ts";
import { mutantsJson } from "../formats/mutation/mutation-text.ts";
import { questionHeadline } from "../human/headline.ts";
import type { HumanItem } from "../human/human-item.ts";
import { snake } from "../kernel/snake-case.ts";
import { isDelivered, type TaskStatus } from "../kernel/task-state.ts";
import { enlarged } from "../loop/admission/budget.ts";
import { auditStep } from "../loop/records/turn-claims.ts";
import type { Records, RunRecord, TaskRecord } from "../store/records.ts";
import {
	type BudgetAccount,
	NO_SUITE_WORK,
	type RunSpending,
	type SuiteWork,
	spendingOf,
	totalOf,
	totalWork,
	type UsageTotals,
} from "../store/spending.ts";
import { falseClaimText } from "../wall/false-claim.ts";
import type { Budget, Workflow } from "../workflow/workflow.ts";
import { newestVerification } from "./read-task.ts";
import type {
	BlockedBy,
	BudgetReport,
	MutationReport,
	RunReport,
	SuiteWorkReport,
	TaskReport,
	UsageReport,
} from "./report.ts";
import { isAnswered, waitingQuestions } from "./run-summary.ts";

export interface RunSurroundings
	extends Pick<
		RunReport,
		| "holder"
		| "unclaimed"
		| "held_back"
		| "stopped"
		| "shared"
		| "landing_awaited"
		| "landing_refused"
		| "files_removed"
		| "preflight_stopped"
		| "setup_cache"
	> {
	readonly newest: boolean;
	readonly checkoutOf: (task: TaskRecord) => string | null;
}

type ReportRecords = Pick<
	Records,
	"evidence" | "turns" | "step" | "item" | "calls" | "spending" | "suiteWork"
>;

/**
 * A run as the contract prints it (section 3).
 *
 * @param tasks all of it, in dependency order
 */
export async function readRunReport(
	records: ReportRecords,
	{ run, tasks }: { readonly run: RunRecord; readonly tasks: readonly TaskRecord[] },
	{ newest, checkoutOf, ...beside }: RunSurroundings,
): Promise<RunReport> {
	const facts = await taskFacts(records, run, tasks);
	const total = totalOf(facts.spending.tasks);
	const works = await records.suiteWork(run.runId);
	const reports: [string, TaskReport][] = [];
	for (const task of tasks) {
		const traces = newest ? ".sparring" : `.sparring/runs/${task.runId}`;
		reports.push([
			task.taskId,
			{
				...(await taskReport(records, task, facts)),
				suite_work: workReport(works.get(task.taskId) ?? NO_SUITE_WORK),
				checkout: checkoutOf(task),
				trace_path: beside.files_removed ? null : `${traces}/traces/${task.taskId}.json`,
			},
		]);
	}
	return {
		run_id: run.runId,
		workflow: run.workflow.name,
		status: run.status,
		base: run.baseBranch,
		branch: run.branch,
		landed: run.landedCommit !== null,
		pruned: run.pruned,
		...beside,
		...usageOf(run.workflow.budget, facts.spending, total, facts.spending.heldMs),
		suite_work: workReport(totalWork([...works.values()])),
		tasks: Object.fromEntries(reports),
	};
}

const workReport = (work: SuiteWork): SuiteWorkReport =>
	snake(work, "suiteRuns", "suiteRunsSaved", "setups", "setupsSaved");

/** Facts of a run that are told with each of its tasks. */
interface ReportFacts {
	readonly definitions: ReadonlyMap<string, Workflow["tasks"][number]>;
	readonly spending: RunSpending;
	readonly blockers: ReturnType<typeof blockersOf>;
	/** Questions that tasks wait with, by task. */
	readonly questions: ReadonlyMap<string, HumanItem>;
}

/** @param tasks all of the run, in dependency order */
async function taskFacts(
	records: Pick<Records, "spending" | "item">,
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<ReportFacts> {
	const definitions = new Map(run.workflow.tasks.map((task) => [task.id, task]));
	return {
		definitions,
		spending: await records.spending(run.runId),
		blockers: blockersOf(tasks, (id) => definitions.get(id)?.dependsOn ?? []),
		questions: await waitingQuestions(records, tasks),
	};
}

async function taskReport(
	records: ReportRecords,
	task: TaskRecord,
	facts: ReportFacts,
): Promise<Omit<TaskReport, "checkout" | "trace_path" | "suite_work">> {
	const { runId, taskId, turns } = task;
	const definition = facts.definitions.get(taskId);
	const own = spendingOf(facts.spending, taskId);
	const question = facts.questions.get(taskId);
	const [last] = await records.turns(runId, taskId, 1);
	const evidence = await records.evidence(runId, taskId, turns);
	const audit = await records.step(auditStep(task, turns));
	const { obstacles = [], blocked_changes = [] } = (await obstaclesOf(records, task)) ?? {};
	return {
		feature_id: definition?.featureId ?? null,
		...snake(task, "status", "phase", "turns", "success"),
		...snake(task, "failureReason", "flags", "branch", "commit", "merged", "mergedCommit"),
		...snake(task, "challengerApproved", "confidenceScore", "confidenceWarnings", "checklist"),
		...snake(task, "verification", "openFindings", "humanItem"),
		gate: task.gate === null ? null : snake(task.gate, "riskTier", "verdict"),
		human_item_answered: question !== undefined && isAnswered(question),
		human_headline: question === undefined ? null : questionHeadline(question),
		blocked_by: facts.blockers.get(taskId) ?? null,
		...usageOf(definition?.budget, own, own, own.workMs),
		obstacles,
		blocked_changes,
		verification_result: await newestVerification(records, task),
		replay: replayIn(evidence),
		mutation: mutationIn(evidence),
		not_counted: turns === 0 ? [] : await notCountedIn(evidence, await baselineOf(records, task)),
		concerns: last?.concerns ?? [],
		false_claims: (audit?.false ?? []).map(falseClaimText),
	};
}

const MAY_BE_HELD_UP: ReadonlySet<TaskStatus> = new Set([
	"failed",
	"needs_rework",
	"paused_for_human",
	"running",
]);

// Loaded where a task has not come through: the others are told of faster.
async function obstaclesOf(records: ReportRecords, task: TaskRecord) {
	if (task.turns === 0 || !MAY_BE_HELD_UP.has(task.status)) return null;
	const { turnObstacles } = await import("./turn-obstacles.ts");
	return await turnObstacles(records, task);
}

/** Consumption, and the budget with it. */
function usageOf(
	budget: Budget | undefined,
	account: BudgetAccount,
	used: UsageTotals,
	wallMs: number,
): { readonly usage: UsageReport; readonly budget: BudgetReport | null } {
	const { usd, wallMs: limitMs } = enlarged(budget ?? {}, account);
	return {
		usage: {
			calls: used.calls,
			cost_usd: used.costUsd,
			unknown_cost_calls: used.unknownCalls,
			...snake(used, "inputTokens", "outputTokens"),
			ms: Math.round(used.workMs),
		},
		budget:
			usd === undefined && limitMs === undefined
				? null
				: {
						usd: usd === undefined ? null : { limit: usd, spent: used.costUsd },
						wall:
							limitMs === undefined ? null : { limit_ms: limitMs, spent_ms: Math.round(wallMs) },
					},
	};
}

// The first one without a pass.
export function replayIn(evidence: readonly Evidence[]): TaskReport["replay"] {
	const replays = evidence.filter(({ kind }) => kind === "replay");
	return (replays.find(({ status }) => status !== "pass") ?? replays[0])?.status ?? null;
}

export function mutationIn(evidence: readonly Evidence[]): MutationReport | null {
	const shown = evidence.flatMap((piece): MutationReport[] => {
		const { check, status, reason } = piece;
		const mutants = mutantsJson(piece);
		if (mutants === null && piece.kind !== "mutation") return [];
		const none = { detected: 0, undetected: 0, pending: 0, survivors: [] };
		return [{ check, status, reason, ...(mutants ?? none) }];
	});
	const triedIn = ({ detected, undetected }: MutationReport): number => detected + undetected;
	return shown.toSorted((a, b) => triedIn(b) - triedIn(a))[0] ?? null;
}

// A merge that was refused moved the start to a tip that holds the tests of other tasks: its baseline says nothing of the
// turn before.
async function baselineOf(
	records: Pick<Records, "step" | "evidence">,
	{ runId, taskId, turns }: Pick<TaskRecord, "runId" | "taskId" | "turns">,
): Promise<readonly Evidence[]> {
	const { refusedMergeStep } = await import("../loop/records/task-steps.ts");
	const refused = await records.step(refusedMergeStep({ runId, taskId }, turns));
	return refused === undefined ? await records.evidence(runId, taskId, 0) : [];
}

// Loaded where there is a turn.
async function notCountedIn(
	evidence: readonly Evidence[],
	baseline: readonly Evidence[],
): Promise<readonly string[]> {
	const { notCounted } = await import("../checks/uncounted.ts");
	const before = new Map(baseline.map((piece) => [piece.check, piece]));
	const own = evidence.filter(({ kind, purpose }) => kind === "acceptance" && purpose === "turn");
	const last = new Map(own.map((piece) => [piece.check, piece]));
	return [...last].flatMap(([check, piece]) => {
		const text = notCounted(piece, before.get(check));
		return text === "" ? [] : [`${check}: not counted: ${text}`];
	});
}

type BlockedTask = Pick<TaskRecord, "taskId" | "status" | "merged" | "flags">;

const isStopped = ({ status }: BlockedTask): boolean =>
	status === "failed" || status === "blocked" || status === "cancelled";
// A formal review has nothing to merge and blocks nobody, so what is stopped comes before it.
const isUnmerged = (task: BlockedTask): boolean =>
	task.status === "completed" && !isDelivered(task);

// Where a failed, b depends on a, and c on b, c has `{ task: "a", through: "b" }`; tasks come in dependency order.
export function blockersOf(
	tasks: readonly BlockedTask[],
	dependsOn: (taskId: string) => readonly string[],
): ReadonlyMap<string, BlockedBy> {
	const byId = new Map(tasks.map((task) => [task.taskId, task]));
	const found = new Map<string, BlockedBy>();
	for (const { taskId, status } of tasks) {
		if (status !== "blocked") continue;
		const needed = dependsOn(taskId).flatMap((id) => byId.get(id) ?? []);
		const first = needed.find(isStopped) ?? needed.find(isUnmerged);
		if (first === undefined) continue;
		const cause = found.get(first.taskId);
		found.set(
			taskId,
			cause === undefined
				? { task: first.taskId, through: null }
				: { task: cause.task, through: first.taskId },
		);
	}
	return found;
}
