import type { FindingReport } from "../review/finding-report.ts";
import { runReport, taskReport, usageReport } from "./report.fixture.ts";
import type { RunReport, TaskReport } from "./report.ts";
import type { EvidenceResult, RunResult, TaskAccount } from "./run-result.ts";

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
export const aResult = (over: Partial<EvidenceResult> = {}): EvidenceResult => ({
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
	...over,
});

/** A task that has merged, of one criterion and one check. */
export const aTask = (
	over: Partial<TaskAccount> = {},
	report: Partial<TaskReport> = {},
): TaskAccount => ({
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
	...over,
	report: taskReport({ merged_commit: "ca5cade0123456789", ...report }),
});

/** A run that has completed. */
export const aRunResult = (
	tasks: readonly TaskAccount[] = [aTask()],
	run: Partial<RunReport> = {},
): RunResult => ({
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
