import type { RunReport, SuiteWorkReport, TaskReport, UsageReport } from "./report.ts";

/** What was used up: nothing unless told otherwise. */
export function usageReport(changes: Partial<UsageReport> = {}): UsageReport {
	return {
		calls: 0,
		cost_usd: null,
		unknown_cost_calls: 0,
		input_tokens: null,
		output_tokens: null,
		ms: 0,
		...changes,
	};
}

/** Runs of suite and setup: none unless told otherwise. */
export const suiteWork = (changes: Partial<SuiteWorkReport> = {}): SuiteWorkReport => ({
	suite_runs: 0,
	suite_runs_saved: 0,
	setups: 0,
	setups_saved: 0,
	...changes,
});

/** A task's report: completed and merged in two turns unless told otherwise. */
export function taskReport(changes: Partial<TaskReport> = {}): TaskReport {
	return {
		feature_id: null,
		status: "completed",
		phase: "completed",
		turns: 2,
		success: true,
		failure_reason: null,
		obstacles: [],
		blocked_changes: [],
		blocked_by: null,
		flags: [],
		branch: "sparring/r1/limiter",
		commit: "c0ffee",
		merged: true,
		merged_commit: "ca5cade",
		challenger_approved: true,
		confidence_score: null,
		confidence_warnings: [],
		checklist: [],
		verification: null,
		verification_result: null,
		gate: { risk_tier: "T0", verdict: "PASS" },
		open_findings: 0,
		human_item: null,
		human_item_answered: false,
		human_headline: null,
		checkout: null,
		concerns: [],
		false_claims: [],
		replay: null,
		mutation: null,
		not_counted: [],
		trace_path: ".sparring/traces/limiter.json",
		usage: usageReport(),
		suite_work: suiteWork(),
		budget: null,
		...changes,
	};
}

/** A run `r1` with one task. */
export function runReport(
	status: RunReport["status"] = "completed",
	task: Partial<TaskReport> = {},
): RunReport {
	return {
		run_id: "r1",
		workflow: "demo",
		status,
		base: "main",
		branch: "sparring/r1/integration",
		holder: null,
		unclaimed: [],
		held_back: [],
		stopped: [],
		shared: false,
		landed: false,
		landing_awaited: false,
		landing_refused: null,
		pruned: false,
		files_removed: false,
		usage: usageReport(),
		suite_work: suiteWork(),
		budget: null,
		preflight_stopped: null,
		setup_cache: { results: 0, bytes: 0 },
		tasks: { limiter: taskReport(task) },
	};
}
