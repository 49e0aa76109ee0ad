import type { FindingReport } from "../review/finding-report.ts";
import { runReport, taskReport, usageReport } from "./report.fixture.ts";
import type { RunReport, TaskReport } from "./report.ts";
import { type CheckView, type RunView, type TaskView, VIEW_VERSION } from "./run-view.ts";

/** A major finding of the coach, open and blocking, unless told otherwise. */
export const aReportedFinding = (over: Partial<FindingReport> = {}): FindingReport => ({
	id: "F1",
	state: "open",
	severity: "major",
	blocking: true,
	late: false,
	source: "coach",
	criterion: null,
	file: "src/limiter.js",
	line: 12,
	issue: "the 11th call is not refused",
	suggestion: null,
	subtask: null,
	dispute: null,
	ruling: null,
	raised_turn: 1,
	changed_turn: 1,
	history: [],
	conflicts: [],
	...over,
});

/** A check that passed on the merged tree. */
export const aResult = (over: Partial<CheckView> = {}): CheckView => ({
	check: "tests",
	kind: "acceptance",
	purpose: "assembled",
	status: "pass",
	reason: null,
	tree: "7ree",
	ms: 1_250,
	counts: { total: 8, passed: 8, failed: 0, skipped: 0, known_failing: 0 },
	details: [],
	label: null,
	exit_code: 0,
	started_at: "2026-11-22T10:00:30.000Z",
	log: null,
	has_cases: false,
	...over,
});

/** A task that has merged, of one criterion and one check. */
export const aTask = (
	over: Partial<TaskView> = {},
	report: Partial<TaskReport> = {},
): TaskView => ({
	id: "limiter",
	title: "Token bucket",
	description: "With burst and refill.",
	started_at: "2026-11-22T10:00:01.000Z",
	ended_at: "2026-11-22T10:01:00.000Z",
	player: "dev",
	coach: "reviewer",
	criteria: [{ criterion: "refuses the 11th", status: "met", evidence: "seen", tests: ["burst"] }],
	evidence: [aResult()],
	findings: [],
	gate: null,
	review: null,
	decisions: [],
	depends_on: [],
	formal_review: false,
	bound: 4,
	acceptance_criteria: ["refuses the 11th"],
	context_files: [],
	seats: null,
	node: null,
	start_commit: null,
	baseline: [],
	turns: [],
	...over,
	report: taskReport({ merged_commit: "ca5cade0123456789", ...report }),
});

/** A run that has completed. */
export const aRunView = (
	tasks: readonly TaskView[] = [aTask()],
	run: Partial<RunReport> = {},
): RunView => ({
	version: VIEW_VERSION,
	base_commit: "ba5e",
	cancel_requested: false,
	held_ms: 65_000,
	questions: [],
	run: {
		...runReport(),
		workflow: "rate-limiter",
		usage: usageReport({ calls: 4, cost_usd: 0.42 }),
		...run,
	},
	workflow_file: "sparring.yaml",
	created_at: "2026-11-22T10:00:00.000Z",
	ended_at: "2026-11-22T10:01:05.000Z",
	tasks,
});
