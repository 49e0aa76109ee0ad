import type { LeaseHolder, RunRecord, TaskRecord } from "../store/records.ts";
import type { RunReport, RunSummary, TaskReport } from "./sparring.ts";

/** What a report says besides what is stored. */
export interface ReportOptions {
	readonly newest: boolean;
	readonly holder: LeaseHolder | undefined;
	readonly landingRefused: string | null;
}

/** A run as the contract prints it (section 3). */
export function runReport(
	run: RunRecord,
	tasks: readonly TaskRecord[],
	{ newest, holder, landingRefused }: ReportOptions,
): RunReport {
	return {
		run_id: run.runId,
		workflow: run.workflow.name,
		status: run.status,
		base: run.baseBranch,
		branch: run.branch,
		holder: holder === undefined ? null : `${holder.host}:${holder.pid}`,
		landed: run.landedCommit !== null,
		landing_refused: landingRefused,
		pruned: run.pruned,
		tasks: Object.fromEntries(tasks.map((task) => [task.taskId, taskReport(task, newest)])),
	};
}

function taskReport(task: TaskRecord, newest: boolean): TaskReport {
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
		challenger_approved: task.challengerApproved,
		confidence_score: null,
		verification: task.verification,
		gate: task.gate === null ? null : { risk_tier: task.gate.riskTier, verdict: task.gate.verdict },
		open_findings: task.openFindings,
		human_item: task.humanItem,
		trace_path: tracePath(task, newest),
	};
}

/** The newest run's traces stand at the top, every run's under its own directory. */
function tracePath(task: TaskRecord, newest: boolean): string {
	return newest
		? `.sparring/traces/${task.taskId}.json`
		: `.sparring/runs/${task.runId}/traces/${task.taskId}.json`;
}

/** A run in a line. */
export function runSummary(run: RunRecord, tasks: readonly TaskRecord[]): RunSummary {
	const count = (...statuses: TaskRecord["status"][]): number =>
		tasks.filter(({ status }) => statuses.includes(status)).length;
	return {
		run_id: run.runId,
		workflow: run.workflow.name,
		status: run.status,
		base: run.baseBranch,
		created_at: run.createdAt,
		ended_at: run.endedAt,
		landed: run.landedCommit !== null,
		tasks: {
			total: tasks.length,
			completed: count("completed"),
			failed: count("failed", "blocked"),
			cancelled: count("cancelled"),
			waiting: count("paused_for_human"),
		},
	};
}
