import type { LaterVerdicts } from "../../confidence/calibration-of.ts";
import type { ConflictRecord, ConflictSubject } from "../../conflict/conflict.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { Finding } from "../../review/finding.ts";
import type { PairRecord } from "../../review/pair-session.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { CallRecord, RunRecord, TaskRecord, TurnRecord } from "../records.ts";
import type { ScoredTurn } from "../scores.ts";
import type { RunSpending, TaskSpending } from "../spending.ts";
import type { Dialect } from "./query.ts";
import { type Columns, table } from "./table.ts";

const OF_TASK = { run_id: "run", task_id: "text" } as const;
const BY_TASK = "PRIMARY KEY (run_id, task_id)";
const BY_TURN = "PRIMARY KEY (run_id, task_id, turn)";

export const runs = table<RunRecord>(
	"runs",
	{
		runId: "text",
		status: "text",
		cancelRequested: "flag",
		pruned: "flag",
		createdAt: "text",
		endedAt: "text?",
		baseBranch: "text",
		baseCommit: "text",
		branch: "text",
		identity: "json",
		landedCommit: "text?",
		recordFile: "text?",
		workflow: "json",
	},
	{ keys: { seq: "serial", workflow_name: "text" }, constraints: ["UNIQUE (run_id)"] },
);

export const tasks = table<TaskRecord>(
	"tasks",
	{
		runId: "run",
		taskId: "text",
		position: "integer",
		status: "text",
		phase: "text",
		turns: "integer",
		success: "flag?",
		failureReason: "text?",
		flags: "json",
		branch: "text",
		startCommit: "text?",
		commit: ["commit_id", "text?"],
		merged: "flag",
		mergedCommit: "text?",
		challengerApproved: "flag?",
		gate: "json?",
		verification: "text?",
		openFindings: "integer",
		humanItem: "text?",
		startedAt: "text?",
		endedAt: "text?",
		epoch: "integer",
		bound: "integer",
		subtask: "integer",
		subtaskStart: "integer",
		confidenceScore: "real?",
		confidenceWarnings: "json",
		checklist: "json",
	},
	{ constraints: [BY_TASK], indexes: ["CREATE INDEX tasks_in_order ON tasks (run_id, position)"] },
);

export const steps = table<object>(
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
		runId: "run",
		taskId: "text",
		turn: "integer",
		role: "text",
		subtask: "text?",
		call: "integer",
		agent: "text",
		outcome: "text",
		startedAt: "text",
		ms: "real",
		usage: "json?",
		transcriptPath: "text?",
		message: "text?",
		report: "text?",
		reportProblem: "text?",
		checkout: "text?",
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
		runId: "run",
		taskId: "text",
		turn: "integer",
		commit: ["commit_id", "text"],
		tree: "text",
		reviewedFrom: "text?",
		raw: "text?",
		effective: "text?",
		exempt: "flag",
		restarted: "flag",
		route: "text?",
		reasons: "json",
		openIssues: "json",
		rationale: "text",
		notes: "text",
		concerns: "json",
		claims: "json?",
	},
	{ constraints: [BY_TURN] },
);

export const evidence = table<Evidence>(
	"evidence",
	{
		check: ["check_name", "text"],
		item: "omitted",
		purpose: "text",
		kind: "text",
		status: "text",
		reason: "text?",
		tree: "text",
		definition: "text",
		exitCode: "integer?",
		started: "flag",
		startedAt: "text",
		ms: "real",
		touched: "json",
		counts: "json?",
		outputPath: "text?",
		details: "json",
		outputTail: "text",
		results: "omitted",
		coverage: "omitted",
		mutation: "omitted",
		cases: "json?",
	},
	{
		keys: { seq: "serial", ...OF_TASK, turn: "integer", attempt: "integer" },
		constraints: ["UNIQUE (run_id, task_id, turn, check_name, purpose, attempt)"],
		indexes: [
			"CREATE INDEX evidence_of_tree ON evidence (run_id, tree, definition, seq) WHERE status IN ('pass', 'fail')",
		],
	},
);

export const findings = table<Finding>(
	"findings",
	{
		id: ["finding_id", "text"],
		severity: "text",
		state: "text",
		source: "text",
		test: "omitted",
		suspicion: "omitted",
		late: "flag",
		raisedTurn: "integer",
		changedTurn: "integer",
		line: "integer?",
		file: "text?",
		criterion: "text?",
		issue: "text",
		suggestion: "text?",
		dispute: "json?",
		subtask: "text?",
		ruling: "omitted",
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
		runId: "run",
		taskId: "text",
		trigger: "text",
		status: "text",
		consumed: "flag",
		createdAt: "text",
		choices: "json",
		reason: "text",
		answer: "json?",
		parts: "omitted",
		context: "json",
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
	task: "text?",
	turn: "integer?",
	node: "text?",
	type: "text",
	timestamp: "text",
	data: "json",
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
		digest: "text?",
		previousDigest: "text?",
		session: "json",
	},
	{ keys: OF_TASK, constraints: [BY_TASK] },
);

export const scores = table<ScoredTurn & LaterVerdicts>(
	"scores",
	{
		gate: "text?",
		human: "text?",
		assembled: "text?",
		runId: "run",
		taskId: "text",
		turn: "integer",
		tree: "text",
		agent: "text",
		score: "real",
		createdAt: "text",
		metrics: "json",
	},
	{ keys: { seq: "serial" }, constraints: ["UNIQUE (run_id, task_id, turn)"] },
);

export const conflicts = table<ConflictRecord>(
	"conflicts",
	{
		conflictId: "text",
		threadId: "text?",
		taskId: "text?",
		developerVerdict: "text?",
		reviewerVerdict: "text?",
		resolution: "text?",
		tieBreakerDecision: "text?",
		rationale: "text?",
		escalationReason: "text?",
		attemptCount: "integer?",
		resolvedAt: "text?",
	},
	{ constraints: ["PRIMARY KEY (conflict_id)"] },
);

// One dispute is taken up once.
export const conflictSubjects = table<ConflictSubject>(
	"conflict_subjects",
	{
		finding: ["finding_id", "text"],
		turn: "integer",
		disputeTurn: "integer",
		tieBreaker: "text?",
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
	addedUsd: "total",
	addedWallMs: "total",
	warnedUsd: "warned",
	warnedWall: "warned",
} as const;

export const runSpending = table<Omit<RunSpending, "tasks">>(
	"run_spending",
	{ heldMs: "total", ...ACCOUNT },
	{ keys: { run_id: "run" }, constraints: ["PRIMARY KEY (run_id)"] },
);

export const taskSpending = table<TaskSpending>(
	"task_spending",
	{
		taskId: "text",
		calls: "count",
		unknownCalls: "count",
		costUsd: "real?",
		inputTokens: "real?",
		outputTokens: "real?",
		workMs: "total",
		...ACCOUNT,
	},
	{ keys: { run_id: "run" }, constraints: [BY_TASK] },
);

export function recordTables(dialect: Dialect): string {
	const own = dialect === "sqlite" ? events : eventsOfMany;
	const first = [runs, tasks, steps, calls, turns, evidence];
	const rest = [findings, items, own, pairSessions, scores, conflicts, conflictSubjects];
	return [...first, ...rest, runSpending, taskSpending].map(({ ddl }) => ddl(dialect)).join("\n\n");
}
