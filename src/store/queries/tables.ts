import type { LaterVerdicts } from "../../confidence/calibration-of.ts";
import type { ConflictRecord, ConflictSubject } from "../../conflict/conflict.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { ReportFigures } from "../../evidence/report-figures.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { PairRecord } from "../../review/check-session.ts";
import type { Finding } from "../../review/finding.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { CallRecord, RunRecord, TaskRecord, TurnRecord } from "../records.ts";
import type { ScoredTurn } from "../scores.ts";
import type { RunSpending, TaskSpending } from "../spending.ts";
import type { Dialect } from "./query.ts";
import type { Columns } from "./row-codec.ts";
import { table } from "./table.ts";

/** What stands before the columns of a record of a task that does not name it. */
const OF_TASK = { run_id: "run", task_id: "text" } as const;
const BY_TASK = "PRIMARY KEY (run_id, task_id)";
const BY_TURN = "PRIMARY KEY (run_id, task_id, turn)";

export const runs = table<RunRecord>(
	"runs",
	{
		runId: ["run_id", "text"],
		status: ["status", "text"],
		cancelRequested: ["cancel_requested", "flag"],
		pruned: ["pruned", "flag"],
		createdAt: ["created_at", "text"],
		endedAt: ["ended_at", "text?"],
		baseBranch: ["base_branch", "text"],
		baseCommit: ["base_commit", "text"],
		branch: ["branch", "text"],
		identity: ["identity", "json"],
		landedCommit: ["landed_commit", "text?"],
		recordFile: ["record_file", "text?"],
		workflow: ["workflow", "json"],
	},
	{ keys: { seq: "serial", workflow_name: "text" }, constraints: ["UNIQUE (run_id)"] },
);

export const tasks = table<TaskRecord>(
	"tasks",
	{
		runId: ["run_id", "run"],
		taskId: ["task_id", "text"],
		position: ["position", "integer"],
		status: ["status", "text"],
		phase: ["phase", "text"],
		turns: ["turns", "integer"],
		success: ["success", "flag?"],
		failureReason: ["failure_reason", "text?"],
		flags: ["flags", "json"],
		branch: ["branch", "text"],
		startCommit: ["start_commit", "text?"],
		commit: ["commit_id", "text?"],
		merged: ["merged", "flag"],
		mergedCommit: ["merged_commit", "text?"],
		challengerApproved: ["challenger_approved", "flag?"],
		gate: ["gate", "json?"],
		verification: ["verification", "text?"],
		openFindings: ["open_findings", "integer"],
		humanItem: ["human_item", "text?"],
		startedAt: ["started_at", "text?"],
		endedAt: ["ended_at", "text?"],
		epoch: ["epoch", "integer"],
		bound: ["bound", "integer"],
		subtask: ["subtask", "integer"],
		subtaskStart: ["subtask_start", "integer"],
		confidenceScore: ["confidence_score", "real?"],
		confidenceWarnings: ["confidence_warnings", "json"],
		checklist: ["checklist", "json"],
	},
	{ constraints: [BY_TASK], indexes: ["CREATE INDEX tasks_in_order ON tasks (run_id, position)"] },
);

const steps = table<object>(
	"steps",
	{},
	{
		keys: { ...OF_TASK, turn: "integer", step: "text", result: "json" },
		constraints: ["PRIMARY KEY (run_id, task_id, turn, step)"],
	},
);

export const calls = table<CallRecord>(
	"calls",
	{
		runId: ["run_id", "run"],
		taskId: ["task_id", "text"],
		turn: ["turn", "integer"],
		role: ["role", "text"],
		subtask: ["subtask", "text?"],
		call: ["call", "integer"],
		agent: ["agent", "text"],
		outcome: ["outcome", "text"],
		startedAt: ["started_at", "text"],
		ms: ["ms", "real"],
		usage: ["usage", "json?"],
		transcriptPath: ["transcript_path", "text?"],
		message: ["message", "text?"],
		report: ["report", "text?"],
		reportProblem: ["report_problem", "text?"],
		checkout: ["checkout", "text?"],
	},
	{
		keys: { seq: "serial", cost_usd: "real?" },
		indexes: [
			"CREATE UNIQUE INDEX calls_once ON calls (run_id, task_id, turn, role, coalesce(subtask, ''), call)",
		],
	},
);

export const turns = table<TurnRecord>(
	"turns",
	{
		runId: ["run_id", "run"],
		taskId: ["task_id", "text"],
		turn: ["turn", "integer"],
		commit: ["commit_id", "text"],
		tree: ["tree", "text"],
		reviewedFrom: ["reviewed_from", "text?"],
		raw: ["raw", "text?"],
		effective: ["effective", "text?"],
		exempt: ["exempt", "flag"],
		restarted: ["restarted", "flag"],
		route: ["route", "text?"],
		reasons: ["reasons", "json"],
		openIssues: ["open_issues", "json"],
		rationale: ["rationale", "text"],
		notes: ["notes", "text"],
		concerns: ["concerns", "json"],
		claims: ["claims", "json?"],
	},
	{ constraints: [BY_TURN] },
);

export const evidence = table<Omit<Evidence, "cases" | keyof ReportFigures>>(
	"evidence",
	{
		check: ["check_name", "text"],
		item: ["item", "omitted"],
		purpose: ["purpose", "text"],
		kind: ["kind", "text"],
		status: ["status", "text"],
		reason: ["reason", "text?"],
		tree: ["tree", "text"],
		definition: ["definition", "text"],
		exitCode: ["exit_code", "integer?"],
		started: ["started", "flag"],
		startedAt: ["started_at", "text"],
		ms: ["ms", "real"],
		touched: ["touched", "json"],
		counts: ["counts", "json?"],
		outputPath: ["output_path", "text?"],
		details: ["details", "json"],
		outputTail: ["output_tail", "text"],
	},
	{
		keys: { seq: "serial", ...OF_TASK, turn: "integer", attempt: "integer" },
		constraints: ["UNIQUE (run_id, task_id, turn, check_name, purpose, attempt)"],
		indexes: [
			"CREATE INDEX evidence_of_tree ON evidence (run_id, tree, definition, seq) WHERE status IN ('pass', 'fail')",
		],
	},
);

const OF_EVIDENCE = {
	keys: { evidence: "integer" },
	constraints: [
		"PRIMARY KEY (evidence)",
		"FOREIGN KEY (evidence) REFERENCES evidence (seq) ON DELETE CASCADE",
	],
} as const;

export const evidenceCases = table<Pick<Evidence, "cases">>(
	"evidence_cases",
	{ cases: ["cases", "json?"] },
	OF_EVIDENCE,
);

export const evidenceFigures = table<{ figures: ReportFigures | null }>(
	"evidence_figures",
	{ figures: ["figures", "json?"] },
	OF_EVIDENCE,
);

export const findings = table<Finding>(
	"findings",
	{
		id: ["finding_id", "text"],
		severity: ["severity", "text"],
		state: ["state", "text"],
		source: ["source", "text"],
		test: ["test", "omitted"],
		suspicion: ["suspicion", "omitted"],
		late: ["late", "flag"],
		raisedTurn: ["raised_turn", "integer"],
		changedTurn: ["changed_turn", "integer"],
		line: ["line", "integer?"],
		file: ["file", "text?"],
		criterion: ["criterion", "text?"],
		issue: ["issue", "text"],
		suggestion: ["suggestion", "text?"],
		dispute: ["dispute", "json?"],
		subtask: ["subtask", "text?"],
		ruling: ["ruling", "omitted"],
	},
	{
		keys: { ...OF_TASK, ordinal: "integer", live: "flag", issue_key: "text" },
		constraints: ["PRIMARY KEY (run_id, task_id, finding_id)", "UNIQUE (run_id, task_id, ordinal)"],
		indexes: ["CREATE INDEX findings_live ON findings (run_id, task_id, ordinal) WHERE live = 1"],
	},
);

export const items = table<HumanItem>(
	"items",
	{
		id: ["item_id", "text"],
		runId: ["run_id", "run"],
		taskId: ["task_id", "text"],
		trigger: ["trigger", "text"],
		status: ["status", "text"],
		consumed: ["consumed", "flag"],
		createdAt: ["created_at", "text"],
		choices: ["choices", "json"],
		reason: ["reason", "text"],
		answer: ["answer", "json?"],
		parts: ["parts", "omitted"],
		context: ["context", "json"],
	},
	{
		keys: { seq: "serial" },
		constraints: ["UNIQUE (item_id)"],
		indexes: [
			"CREATE UNIQUE INDEX items_one_open ON items (run_id, task_id) WHERE status IN ('PENDING', 'ACKED')",
			"CREATE INDEX items_of_run ON items (run_id, seq)",
		],
	},
);

type EventRow = Pick<StoredEvent, Exclude<keyof StoredEvent, "id">>;

const EVENT: Columns<EventRow> = {
	run: ["run_id", "run"],
	task: ["task", "text?"],
	turn: ["turn", "integer?"],
	node: ["node", "text?"],
	type: ["type", "text"],
	timestamp: ["timestamp", "text"],
	data: ["data", "json"],
};
const EVENT_INDEXES = [
	"CREATE INDEX events_of_run ON events (run_id, id)",
	"CREATE INDEX events_of_task ON events (run_id, task, id)",
];

export const events = table<EventRow>("events", EVENT, {
	keys: { id: "serial" },
	indexes: EVENT_INDEXES,
});
const eventsOfMany = table<EventRow>("events", EVENT, {
	keys: { seq: "serial", id: "integer?" },
	constraints: ["UNIQUE (id)"],
	indexes: EVENT_INDEXES,
});

export const pairSessions = table<PairRecord>(
	"pair_sessions",
	{
		digest: ["digest", "text?"],
		previousDigest: ["previous_digest", "text?"],
		session: ["session", "json"],
	},
	{ keys: OF_TASK, constraints: [BY_TASK] },
);

export const SCORED: Columns<ScoredTurn> = {
	runId: ["run_id", "run"],
	taskId: ["task_id", "text"],
	turn: ["turn", "integer"],
	tree: ["tree", "text"],
	agent: ["agent", "text"],
	score: ["score", "real"],
	createdAt: ["created_at", "text"],
	metrics: ["metrics", "json"],
};
export const LATER: Columns<LaterVerdicts> = {
	gate: ["gate", "text?"],
	human: ["human", "text?"],
	assembled: ["assembled", "text?"],
};
export const scores = table<ScoredTurn & LaterVerdicts>(
	"scores",
	{ ...LATER, ...SCORED },
	{ keys: { seq: "serial" }, constraints: ["UNIQUE (run_id, task_id, turn)"] },
);

/** All but its id may be NULL. */
export const conflicts = table<ConflictRecord>(
	"conflicts",
	{
		conflictId: ["conflict_id", "text"],
		threadId: ["thread_id", "text?"],
		taskId: ["task_id", "text?"],
		developerVerdict: ["developer_verdict", "text?"],
		reviewerVerdict: ["reviewer_verdict", "text?"],
		resolution: ["resolution", "text?"],
		tieBreakerDecision: ["tie_breaker_decision", "text?"],
		rationale: ["rationale", "text?"],
		escalationReason: ["escalation_reason", "text?"],
		attemptCount: ["attempt_count", "integer?"],
		resolvedAt: ["resolved_at", "text?"],
	},
	{ constraints: ["PRIMARY KEY (conflict_id)"] },
);

/** What an attempt in conflicts is about; seq is the order in which they were stored. One dispute is taken up once. */
export const conflictSubjects = table<ConflictSubject>(
	"conflict_subjects",
	{
		finding: ["finding_id", "text"],
		turn: ["turn", "integer"],
		disputeTurn: ["dispute_turn", "integer"],
		tieBreaker: ["tie_breaker", "text?"],
	},
	{
		keys: { seq: "serial", conflict_id: "text", ...OF_TASK, paused: "count" },
		constraints: [
			"UNIQUE (conflict_id)",
			"UNIQUE (run_id, task_id, finding_id, dispute_turn)",
			"FOREIGN KEY (conflict_id) REFERENCES conflicts (conflict_id)",
		],
		indexes: ["CREATE INDEX conflict_subjects_of_task ON conflict_subjects (run_id, task_id, seq)"],
	},
);

const ACCOUNT = {
	addedUsd: ["added_usd", "total"],
	addedWallMs: ["added_wall_ms", "total"],
	warnedUsd: ["warned_usd", "warned"],
	warnedWall: ["warned_wall", "warned"],
} as const;

export const runSpending = table<Omit<RunSpending, "tasks">>(
	"run_spending",
	{ heldMs: ["held_ms", "total"], ...ACCOUNT },
	{ keys: { run_id: "run" }, constraints: ["PRIMARY KEY (run_id)"] },
);

export const taskSpending = table<TaskSpending>(
	"task_spending",
	{
		taskId: ["task_id", "text"],
		calls: ["calls", "count"],
		unknownCalls: ["unknown_calls", "count"],
		costUsd: ["cost_usd", "real?"],
		inputTokens: ["input_tokens", "real?"],
		outputTokens: ["output_tokens", "real?"],
		workMs: ["work_ms", "total"],
		...ACCOUNT,
	},
	{ keys: { run_id: "run" }, constraints: [BY_TASK] },
);

export function recordTables(dialect: Dialect): string {
	const own = dialect === "sqlite" ? events : eventsOfMany;
	const first = [runs, tasks, steps, calls, turns, evidence, evidenceCases, evidenceFigures];
	const rest = [findings, items, own, pairSessions, scores, conflicts, conflictSubjects];
	return [...first, ...rest, runSpending, taskSpending].map(({ ddl }) => ddl(dialect)).join("\n\n");
}
