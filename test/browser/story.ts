import { anItem } from "../../src/human/item-builder.contract.ts";
import { runReport, taskReport } from "../../src/view/report.fixture.ts";
import type { RunReport, TaskReport } from "../../src/view/report.ts";
import { VIEW_VERSION } from "../../src/view/run-view.ts";
import type {
	CallView,
	CheckView,
	InboxItem,
	ItemDetail,
	RunDetail,
	RunRow,
	TaskDetail,
	TaskHead,
	TaskView,
	TurnView,
} from "../../src/web/protocol.ts";
import type { Offer } from "../../src/words/item-offers.ts";

/*
 * What a server could show, for the tests and the bench of the page: one run of a limiter, its tasks and its questions.
 */

/** A time of the story: minutes after it began. */
export const at = (minutes: number): string =>
	new Date(Date.parse("2026-11-22T09:00:00Z") + minutes * 60_000).toISOString();

const USAGE = {
	calls: 6,
	cost_usd: 0.84,
	unknown_cost_calls: 1,
	input_tokens: 120_000,
	output_tokens: 9_000,
	ms: 312_000,
};

export const aRun = (part: Partial<RunRow> = {}): RunRow => ({
	run_id: "20261122-0900-k3f9",
	workflow: "rate-limiter",
	status: "running",
	base: "main",
	created_at: at(0),
	ended_at: null,
	landed: false,
	pruned: false,
	cancel_requested: false,
	holder: "bench:4711",
	shared: false,
	tasks: { total: 4, completed: 1, failed: 0, blocked: 0, cancelled: 0, waiting: 1, answered: 0 },
	cost_usd: 1.72,
	unknown_cost_calls: 0,
	held_ms: 544_000,
	...part,
});

type HeadPart = Partial<Omit<TaskHead, "report">> & { readonly report?: Partial<TaskReport> };

const aTask = ({ report, ...part }: HeadPart = {}): TaskHead => ({
	id: "limiter",
	title: "Token bucket with burst and refill.",
	depends_on: [],
	formal_review: false,
	bound: 5,
	started_at: at(1),
	ended_at: null,
	...part,
	report: taskReport({
		success: null,
		branch: "sparring/20261122-0900-k3f9/limiter",
		commit: null,
		merged_commit: null,
		status: "running",
		phase: "coach_validating",
		turns: 2,
		merged: false,
		challenger_approved: null,
		confidence_score: 0.74,
		gate: { risk_tier: "T1", verdict: "FAIL" },
		open_findings: 2,
		usage: USAGE,
		...report,
	}),
});

const TASKS: readonly TaskHead[] = [
	aTask({
		id: "clock",
		title: "A clock that tests can turn.",
		report: {
			status: "completed",
			phase: "completed",
			turns: 1,
			merged: true,
			open_findings: 0,
			gate: { risk_tier: "T1", verdict: "PASS" },
			confidence_score: 0.91,
		},
	}),
	aTask({ depends_on: ["clock"] }),
	aTask({
		id: "headers",
		title: "Retry-After and the remaining count as headers.",
		depends_on: ["clock"],
		report: {
			status: "paused_for_human",
			phase: "awaiting_human",
			turns: 3,
			human_item: "h1",
			open_findings: 1,
			flags: ["loop_exhausted"],
		},
	}),
	aTask({
		id: "docs",
		title: "A page that explains the limits.",
		depends_on: ["limiter", "headers"],
		report: {
			status: "pending",
			phase: "initializing",
			turns: 0,
			open_findings: 0,
			gate: null,
			confidence_score: null,
			usage: { ...USAGE, calls: 0, cost_usd: null },
		},
	}),
];

const LAST_SAID = { limiter: { line: "PASS test/limiter.test.js (12 tests)", at: at(8) } };

const OFFERS: readonly Offer[] = [
	[
		"take_developer",
		"The work goes on to the gate as it stands, without another player turn; the gate can still refuse it.",
	],
	[
		"take_reviewer",
		"The player fixes the open findings in one more turn, which is granted even at the limit.",
	],
	[
		"directive",
		"The player is told your words in one more turn, which is granted also at the limit.",
	],
	["reject", "The task fails with the reason that you give; its branch and checkout stay."],
].map(([choice = "", effect = ""]) => ({
	// The choices above are the offers' own.
	choice: choice as Offer["choice"],
	limit: null,
	finding: null,
	effect,
	command: `spar answer h1 (${choice})`,
}));

export const anInboxItem = (part: Partial<InboxItem> = {}): InboxItem => ({
	id: "h1",
	run_id: aRun().run_id,
	task_id: "headers",
	trigger: "loop_exhausted",
	reason: "Max turns (3) reached without approval",
	status: "PENDING",
	choices: ["take_developer", "take_reviewer", "directive"],
	created_at: at(8),
	version: "v1",
	workflow: "rate-limiter",
	title: "Retry-After and the remaining count as headers.",
	replaced_by: null,
	...part,
});

/** A question at the turn limit with both sides, findings and evidence. */
export function aQuestion(
	part: Partial<InboxItem> & { readonly offers?: readonly Offer[] } = {},
): ItemDetail {
	const { context } = anItem({
		context: {
			developer: {
				agent: "dev",
				notes:
					"Retry-After is whole seconds, rounded up, so that a client that obeys it is never refused again.\nThe remaining count is read after the call was counted.",
				concerns: ["Behind a proxy the clock may differ."],
				files: ["src/headers.js", "test/headers.test.js"],
			},
			reviewer: {
				agent: "reviewer",
				decision: "approve",
				effective: "feedback",
				rationale:
					"The headers are right for one client. With two clients at the limit the remaining count is negative.",
				attempts: [
					{
						what: "Two clients at the limit",
						command: "node probe.js",
						outcome: "X-Remaining: -1",
					},
				],
			},
			findings: [
				{
					id: "F1",
					issue: "X-Remaining is negative when two clients reach the limit in the same second.",
					severity: "major",
					state: "open",
					file: "src/headers.js",
					line: 14,
					criterion: "the remaining count is never below 0",
					suggestion: "Clamp it at 0.",
					dispute: null,
				},
				{
					id: "F2",
					issue: "Retry-After is rounded up, although RFC 9110 asks for nothing of the kind.",
					severity: "minor",
					state: "disputed",
					file: "src/headers.js",
					line: 21,
					dispute: {
						reason: "Rounding down makes a client that waits be refused.",
						evidence: "test 'waits long enough'",
					},
				},
			],
			evidence: [
				{
					check: "tests",
					kind: "acceptance",
					status: "pass",
					counts: { total: 12, passed: 12, failed: 0, skipped: 0, known_failing: 0 },
				},
				{
					check: "lint",
					kind: "lint",
					status: "fail",
					reason: "1 new problem",
					details: ["src/headers.js:14 no-negated-condition"],
					output_path: "transcripts/headers-2-lint.log",
				},
			],
		},
	});
	const { offers = OFFERS, ...item } = part;
	return {
		...anInboxItem(item),
		trigger: "loop_exhausted",
		context: {
			...context,
			task: {
				id: "headers",
				description: "Retry-After and the remaining count as headers.",
				acceptance_criteria: [
					"a refused call carries Retry-After",
					"the remaining count is never below 0",
				],
			},
			turns: 3,
			bound: 3,
			checkout: "/home/ada/.local/state/sparring/limiter/20261122-0900-k3f9/headers/player",
			branch: "sparring/20261122-0900-k3f9/headers",
			commit: "6b1f0c2d9e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c",
		},
		cursor: 0,
		answers: {},
		resolution: null,
		offers,
		run: { status: "running", holder: null, can_resume: false },
	} as ItemDetail; // The context is that of a question at its limit.
}

const COUNTS = { total: 12, passed: 11, failed: 1, skipped: 0, known_failing: 0 };

const anEvidence = (part: Partial<CheckView> = {}): CheckView => ({
	check: "tests",
	label: null,
	kind: "acceptance",
	purpose: "turn",
	status: "pass",
	reason: null,
	counts: { ...COUNTS, passed: 12, failed: 0 },
	details: [],
	exit_code: 0,
	ms: 2_140,
	started_at: at(4),
	tree: "9f1c",
	log: "logs/turn-2-tests.log",
	has_cases: true,
	...part,
});

const aCall = (part: Partial<CallView> = {}): CallView => ({
	role: "player",
	agent: "dev",
	call: 1,
	outcome: "answered",
	message: null,
	started_at: at(3),
	ms: 84_000,
	cost_usd: 0.31,
	model: "sonnet",
	log: "logs/turn-2-player.log",
	...part,
});

const scored = (score: number): TurnView["score"] => ({
	mode: "composite",
	score,
	threshold: 0.8,
	advisory: null,
	metrics: [
		{
			type: "test_coverage",
			score: 0.82,
			weight: 0.5,
			reason: "41 of 50 changed lines are covered",
		},
		{
			type: "llm_judge",
			score: score * 2 - 0.82,
			weight: 0.5,
			reason: "the evaluator's score",
			evaluator_agent: "arbiter",
			rationale: "Clear, but the burst is not tested at its edge.",
		},
	],
	warnings: [],
});

const aTurn = (part: Partial<TurnView> = {}): TurnView => ({
	turn: 1,
	commit: "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334",
	tree: "9f1c",
	raw: "approve",
	effective: "feedback",
	reasons: ["1 criterion is not met: refills at the configured rate"],
	rationale: "The burst is right. The refill counts whole seconds only.",
	notes: "A bucket per key, refilled when it is asked.",
	concerns: ["Two processes do not share a bucket."],
	criteria: [
		{
			criterion: "refuses the call after the burst",
			met: true,
			evidence: "test 'refuses'",
			tests: ["refuses the sixth call"],
		},
		{
			criterion: "refills at the configured rate",
			met: false,
			evidence: "0.5 a second gives none",
			tests: [],
		},
	],
	attempts: [
		{ what: "A rate below one a second", command: "node probe.js 0.5", outcome: "never refilled" },
	],
	route: "feedback",
	findings: [],
	questions: [],
	checks: [
		anEvidence({
			status: "fail",
			counts: COUNTS,
			details: ["refills at half a call a second"],
			exit_code: 1,
		}),
		anEvidence({ check: "lint", kind: "lint", counts: null, log: null, has_cases: false, ms: 640 }),
	],
	calls: [
		aCall({ outcome: "rate_limit", message: "429: slow down", cost_usd: null }),
		aCall({ call: 2 }),
		aCall({ role: "coach", agent: "reviewer", log: null }),
	],
	verification: null,
	gate: null,
	score: scored(0.58),
	...part,
});

const GATE: NonNullable<TurnView["gate"]> = {
	run_id: aRun().run_id,
	task_id: "limiter",
	risk_tier: "T1",
	verdict: "FAIL",
	rule: "verification is required, and it failed",
	evidence_checks: {
		acceptance_evidence: { status: "PASS", details: "tests: pass (12 passed)" },
		verification: { status: "FAIL", details: "independent tests: 1 failed\nlint: pass" },
		operational_readiness: { status: "ABSENT", details: "not configured" },
		requirement_coverage: { status: "SKIPPED", details: "not required" },
	},
	confidence_score: 0.74,
	confidence_advisory: null,
	metrics: [],
	warnings: ["the evaluator answered twice"],
	checklist: [],
	hil_required: false,
	evaluated_at: at(6),
	tree: "9f1c",
	allowed: [{ path: "test/old.test.js", change: "delete", reason: "the feature goes" }],
	suspicions: [
		{
			id: "S1",
			kind: "widened_tolerance",
			file: "test/limiter.test.js",
			line: 31,
			ok: true,
			reason: "The clock is real there.",
			by: "coach",
		},
	],
};

const VERIFICATION: NonNullable<TurnView["verification"]> = {
	verdict: "failed",
	required: true,
	reasons: ["1 of 3 independent tests fails on this commit"],
	tests: [
		{
			path: "test/independent/limiter.test.js",
			name: "a burst of five is let through",
			status: "passed",
		},
		{
			path: "test/independent/limiter.test.js",
			name: "half a call a second refills",
			status: "failed",
		},
	],
	run: "node --test test/independent",
	log: "logs/verification.log",
	commit: "a1b2c3d4",
	attempts: 1,
};

/** A part of a task's screen that a test changes. */
export type TaskPart = Partial<Omit<TaskView, "report">> & {
	readonly report?: Partial<TaskReport>;
	readonly run?: Partial<RunReport>;
	readonly cursor?: number;
};

export const aTaskDetail = ({ run, report, cursor = 0, ...part }: TaskPart = {}): TaskDetail => ({
	cursor,
	run: aRunReport(run),
	task: { ...aTaskView, ...part, report: { ...aTaskView.report, ...report } },
	last_said: LAST_SAID,
});

const aTaskView: TaskView = {
	...aTask({
		depends_on: ["clock"],
		report: {
			commit: "a1b2c3d4e5f6",
			checkout: "/home/ada/.local/state/sparring/limiter/20261122-0900-k3f9/limiter/player",
			verification_result: {
				...VERIFICATION,
				output_path: ".sparring/logs/verification.log",
			},
		},
	}),
	description:
		"Token bucket with burst and refill.\n\nOne bucket for each key; a key that is not used costs nothing.",
	acceptance_criteria: ["refuses the call after the burst", "refills at the configured rate"],
	context_files: ["src/limiter.js"],
	player: "dev",
	coach: "reviewer",
	seats: { player: "dev", coach: "reviewer" },
	node: "coach_turn",
	start_commit: "0011223344",
	criteria: [],
	evidence: [],
	review: null,
	decisions: [],
	baseline: [anEvidence({ purpose: "baseline" })],
	turns: [
		aTurn(),
		aTurn({
			turn: 2,
			raw: null,
			effective: null,
			reasons: [],
			rationale: "",
			route: null,
			criteria: [],
			checks: [anEvidence()],
			gate: GATE,
			verification: VERIFICATION,
			score: scored(0.74),
		}),
	],
	findings: [
		{
			id: "F1",
			state: "open",
			severity: "major",
			blocking: true,
			late: false,
			source: "coach",
			criterion: "refills at the configured rate",
			file: "src/limiter.js",
			line: 22,
			issue: "A rate below one a second never refills.",
			suggestion: "Keep the fraction.",
			subtask: null,
			dispute: null,
			ruling: null,
			raised_turn: 1,
			changed_turn: 1,
			history: [
				{
					turn: 1,
					state: "open",
					by: "coach",
					text: "A rate below one a second never refills.",
					evidence: null,
					timestamp: at(5),
				},
			],
			conflicts: [],
		},
	],
	gate: GATE,
};

const aRunReport = (part: Partial<RunReport> = {}): RunReport => ({
	...runReport("running"),
	run_id: aRun().run_id,
	workflow: aRun().workflow,
	branch: "sparring/20261122-0900-k3f9/integration",
	usage: { ...USAGE, calls: 14, cost_usd: 1.72, unknown_cost_calls: 0 },
	budget: { usd: { limit: 10, spent: 1.72 }, wall: { limit_ms: 14_400_000, spent_ms: 544_000 } },
	tasks: Object.fromEntries(TASKS.map(({ id, report }) => [id, report])),
	...part,
});

/** A part of a run's screen that a test changes. */
export type RunPart = Partial<Omit<RunDetail, "run">> & { readonly run?: Partial<RunReport> };

export const aRunDetail = ({ run, ...part }: RunPart = {}): RunDetail => ({
	version: VIEW_VERSION,
	cursor: 0,
	run: aRunReport({ holder: aRun().holder, ...run }),
	workflow_file: "sparring.yaml",
	base_commit: "0011223344556677889900aabbccddeeff001122",
	created_at: at(0),
	ended_at: null,
	cancel_requested: false,
	held_ms: 544_000,
	tasks: TASKS,
	questions: [anInboxItem()],
	last_said: LAST_SAID,
	last_action: null,
	...part,
});
