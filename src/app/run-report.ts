import { type MutantsJson, mutantsJson } from "../evidence/mutation/mutation-text.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import { enlarged } from "../loop/admission/budget.ts";
import type { VerificationReport } from "../loop/turn-verification.ts";
import type { LeaseHolder, Records, RunRecord, TaskRecord } from "../store/records.ts";
import {
	type BudgetAccount,
	type RunSpending,
	spendingOf,
	totalOf,
	type UsageTotals,
} from "../store/spending.ts";
import type { Budget } from "../workflow/workflow.ts";
import { blockersOf } from "./blocked-by.ts";
import type { SetupCacheReport } from "./prune-report.ts";
import { holderName } from "./run-summary.ts";
import type {
	BudgetReport,
	MutationReport,
	RunReport,
	TaskReport,
	UsageReport,
} from "./sparring.ts";
import type { StoppedPreflight } from "./stopped-preflight.ts";
import type { TurnObstacles } from "./turn-obstacles.ts";

/** What a report says besides what is stored. */
export interface ReportOptions {
	readonly newest: boolean;
	/** Whether its outputs, transcripts and traces were removed. */
	readonly filesRemoved: boolean;
	readonly holder: LeaseHolder | undefined;
	/** See `RunReport`. */
	readonly unclaimed: RunReport["unclaimed"];
	readonly stopped: RunReport["stopped"];
	readonly isShared: boolean;
	readonly landingAwaited: boolean;
	readonly landingRefused: string | null;
	readonly spending: RunSpending;
	readonly setupCache: SetupCacheReport;
	readonly preflightStopped: StoppedPreflight | null;
	/** What the player was unsure of in its last turn, by task; a task without a turn is left out. */
	readonly concerns: ReadonlyMap<string, readonly string[]>;
	/** What the player claimed falsely in its last turn, by task; a task without any may be left out. */
	readonly falseClaims: ReadonlyMap<string, readonly string[]>;
	/** Absolute path of a task's checkout while it is there. */
	readonly checkoutOf: (task: TaskRecord) => string | null;
	/** By task id. */
	readonly verifications: ReadonlyMap<string, VerificationReport>;
	/** What the newest replay of a task showed, by task id; none where nothing was replayed. */
	readonly replays: ReadonlyMap<string, EvidenceStatus>;
	/** What became of mutants in the newest turn, by task id; none where none were run. */
	readonly mutations: ReadonlyMap<string, MutationReport>;
	/** What the newest turn's checks did not count, by task id; a task without any may be left out. */
	readonly notCounted: ReadonlyMap<string, readonly string[]>;
	/** What stood in the way of the last turn, by task id; none where nothing did. */
	readonly obstacles: ReadonlyMap<string, TurnObstacles>;
	/** Tasks whose question has an answer that no process has acted on. */
	readonly answered: ReadonlySet<string>;
}

/** A run as the contract prints it (section 3). */
export function runReport(
	run: RunRecord,
	tasks: readonly TaskRecord[],
	options: ReportOptions,
): RunReport {
	const { newest, filesRemoved, holder, landingRefused, spending, setupCache } = options;
	const total = totalOf(spending.tasks);
	const definitions = new Map(run.workflow.tasks.map((task) => [task.id, task]));
	const blockers = blockersOf(tasks, (id) => definitions.get(id)?.dependsOn ?? []);
	return {
		run_id: run.runId,
		workflow: run.workflow.name,
		status: run.status,
		base: run.baseBranch,
		branch: run.branch,
		holder: holderName(holder),
		unclaimed: options.unclaimed,
		stopped: options.stopped,
		shared: options.isShared,
		landed: run.landedCommit !== null,
		landing_awaited: options.landingAwaited,
		landing_refused: landingRefused,
		pruned: run.pruned,
		files_removed: filesRemoved,
		usage: usageReport(total),
		budget: budgetReport(run.workflow.budget, spending, total.costUsd, spending.heldMs),
		preflight_stopped: options.preflightStopped,
		setup_cache: setupCache,
		tasks: Object.fromEntries(
			tasks.map((task) => {
				const own = spendingOf(spending, task.taskId);
				const definition = definitions.get(task.taskId);
				const report: TaskReport = {
					feature_id: definition?.featureId ?? null,
					...taskReport(task),
					human_item_answered: options.answered.has(task.taskId),
					obstacles: options.obstacles.get(task.taskId)?.obstacles ?? [],
					blocked_changes: options.obstacles.get(task.taskId)?.blocked_changes ?? [],
					blocked_by: blockers.get(task.taskId) ?? null,
					verification_result: options.verifications.get(task.taskId) ?? null,
					replay: options.replays.get(task.taskId) ?? null,
					mutation: options.mutations.get(task.taskId) ?? null,
					not_counted: options.notCounted.get(task.taskId) ?? [],
					checkout: options.checkoutOf(task),
					concerns: options.concerns.get(task.taskId) ?? [],
					false_claims: options.falseClaims.get(task.taskId) ?? [],
					trace_path: filesRemoved ? null : tracePath(task, newest),
					usage: usageReport(own),
					budget: budgetReport(definition?.budget, own, own.costUsd, own.workMs),
				};
				return [task.taskId, report];
			}),
		),
	};
}

/** What was used up, as programs read it. */
export function usageReport(used: UsageTotals): UsageReport {
	return {
		calls: used.calls,
		cost_usd: used.costUsd,
		unknown_cost_calls: used.unknownCalls,
		input_tokens: used.inputTokens,
		output_tokens: used.outputTokens,
		ms: Math.round(used.workMs),
	};
}

/** A budget with what was used of it; null without one. */
export function budgetReport(
	budget: Budget | undefined,
	account: BudgetAccount,
	costUsd: number | null,
	wallMs: number,
): BudgetReport | null {
	const { usd, wallMs: limitMs } = enlarged(budget ?? {}, account);
	if (usd === undefined && limitMs === undefined) return null;
	return {
		usd: usd === undefined ? null : { limit: usd, spent: costUsd },
		wall: limitMs === undefined ? null : { limit_ms: limitMs, spent_ms: Math.round(wallMs) },
	};
}

/** What stands in no task's record, or not in it alone. */
type Beside =
	| "feature_id"
	| "human_item_answered"
	| "obstacles"
	| "blocked_changes"
	| "blocked_by"
	| "verification_result"
	| "replay"
	| "mutation"
	| "not_counted"
	| "checkout"
	| "concerns"
	| "false_claims"
	| "trace_path"
	| "usage"
	| "budget";

/** What its record alone says of a task. */
function taskReport(task: TaskRecord): Omit<TaskReport, Beside> {
	return {
		status: task.status,
		phase: task.phase,
		turns: task.turns,
		success: task.success,
		failure_reason: task.failureReason,
		flags: task.flags,
		branch: task.branch,
		commit: task.commit,
		merged: task.merged,
		merged_commit: task.mergedCommit,
		challenger_approved: task.challengerApproved,
		confidence_score: task.confidenceScore,
		confidence_warnings: task.confidenceWarnings,
		checklist: task.checklist,
		verification: task.verification,
		gate: task.gate === null ? null : { risk_tier: task.gate.riskTier, verdict: task.gate.verdict },
		open_findings: task.openFindings,
		human_item: task.humanItem,
	};
}

/** What the replays of each task's newest turn amount to: the first one without a pass. */
export async function replaysOf(
	records: Pick<Records, "tasks" | "evidence">,
	runId: string,
): Promise<ReadonlyMap<string, EvidenceStatus>> {
	const found = new Map<string, EvidenceStatus>();
	for (const { taskId, turns } of await records.tasks(runId)) {
		const evidence = await records.evidence(runId, taskId, turns);
		const replays = evidence.filter(({ kind }) => kind === "replay");
		const shown = replays.find(({ status }) => status !== "pass") ?? replays[0];
		if (shown !== undefined) found.set(taskId, shown.status);
	}
	return found;
}

/** What became of mutants in each task's newest turn; of several tools the one that ran the most. */
export async function mutationsOf(
	records: Pick<Records, "tasks" | "evidence">,
	runId: string,
): Promise<ReadonlyMap<string, MutationReport>> {
	const found = new Map<string, MutationReport>();
	for (const { taskId, turns } of await records.tasks(runId)) {
		const evidence = await records.evidence(runId, taskId, turns);
		const shown = evidence.flatMap((piece): MutationReport[] => {
			const { check, status, reason } = piece;
			const mutants = mutantsJson(piece);
			if (mutants === null && piece.kind !== "mutation") return [];
			return [{ check, status, reason, ...(mutants ?? NO_MUTANTS) }];
		});
		const [first] = shown.toSorted((a, b) => triedIn(b) - triedIn(a));
		if (first !== undefined) found.set(taskId, first);
	}
	return found;
}

const NO_MUTANTS: MutantsJson = { detected: 0, undetected: 0, pending: 0, survivors: [] };
const triedIn = ({ detected, undetected }: MutationReport): number => detected + undetected;

/** The newest run's traces stand at the top, every run's under its own directory. */
function tracePath(task: TaskRecord, newest: boolean): string {
	return newest
		? `.sparring/traces/${task.taskId}.json`
		: `.sparring/runs/${task.runId}/traces/${task.taskId}.json`;
}
