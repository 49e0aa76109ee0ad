import type { Usage } from "../agents/agent.ts";
import type { ConflictRecord, ConflictSubject } from "../conflict/conflict.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Answer, FindingAnswer, HumanItem } from "../human/human-item.ts";
import { anItem, type ItemPart } from "../human/item-builder.contract.ts";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import type { PairRecord } from "../review/pair-session.ts";
import type { TraceEvent } from "../trace/event.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { CallRecord, RunRecord, TaskRecord, TurnRecord } from "./records.ts";
import type { ScoredTurn } from "./scores.ts";

/** The run and task that the builders speak of unless told otherwise. */
export const RUN = "20261121-220509-k3f9";
export const TASK = "limiter";

const AT = "2026-11-21T22:05:09.000Z";

/** Text that storage tends to break: quotes, NUL, line ends, SQL, non-ASCII, an astral character. */
export const HOSTILE = "a'; DROP TABLE runs; --\"\n\r\t\0 ünï ✓ 🙂 \\ %s $1 ?1";

const workflow: Workflow = {
	version: 1,
	name: "rate-limiter",
	setup: [],
	setupInputs: [],
	setupCache: true,
	maxParallel: 2,
	agents: {},
	checks: [],
	protected: ["test/**"],
	human: { enabled: true },
	merge: { into: "integration", style: "squash", message: "{title}" },
	keepRuns: 50,
	verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
	tasks: [],
};

export const run = (part: Partial<RunRecord> = {}): RunRecord => ({
	runId: RUN,
	workflow,
	baseBranch: "main",
	baseCommit: "b".repeat(40),
	branch: `sparring/${RUN}/integration`,
	status: "running",
	createdAt: AT,
	endedAt: null,
	identity: { name: "Ada", email: "ada@example.org" },
	landedCommit: null,
	recordFile: null,
	cancelRequested: false,
	pruned: false,
	...part,
});

export const task = (part: Partial<TaskRecord> = {}): TaskRecord => ({
	runId: RUN,
	taskId: TASK,
	position: 0,
	status: "pending",
	phase: "initializing",
	turns: 0,
	success: null,
	failureReason: null,
	flags: [],
	branch: `sparring/${RUN}/${TASK}`,
	startCommit: null,
	commit: null,
	merged: false,
	mergedCommit: null,
	challengerApproved: null,
	gate: null,
	verification: null,
	openFindings: 0,
	humanItem: null,
	startedAt: null,
	endedAt: null,
	epoch: 1,
	bound: 10,
	subtask: 0,
	subtaskStart: 0,
	confidenceScore: null,
	confidenceWarnings: [],
	checklist: [],
	...part,
});

export const call = (part: Partial<CallRecord> = {}): CallRecord => ({
	runId: RUN,
	taskId: TASK,
	subtask: null,
	turn: 1,
	role: "player",
	call: 1,
	agent: "dev",
	outcome: "answered",
	report: "{}",
	message: null,
	reportProblem: null,
	transcriptPath: null,
	checkout: null,
	startedAt: AT,
	ms: 12.5,
	usage: null,
	...part,
});

/** A call that used 10 and 5 tokens for 0.25 dollars unless told otherwise. */
export const paidCall = (number: number, part: Partial<Usage> = {}): CallRecord =>
	call({
		call: number,
		usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.25, model: "m", ...part },
	});

export const turn = (part: Partial<TurnRecord> = {}): TurnRecord => ({
	runId: RUN,
	taskId: TASK,
	turn: 1,
	commit: "c".repeat(40),
	tree: "d".repeat(40),
	reviewedFrom: null,
	raw: "feedback",
	effective: "feedback",
	reasons: [{ kind: "criterion_unmet", criterion: "burst is not refused" }],
	claims: null,
	rationale: "",
	notes: "",
	concerns: ["fast?"],
	openIssues: [],
	exempt: false,
	restarted: false,
	route: null,
	...part,
});

export const evidence = (part: Partial<Evidence> = {}): Evidence => ({
	check: "tests",
	kind: "acceptance",
	status: "pass",
	reason: null,
	purpose: "turn",
	tree: "d".repeat(40),
	definition: "def1",
	exitCode: 0,
	counts: null,
	details: [],
	cases: null,
	outputPath: null,
	touched: [],
	outputTail: "",
	startedAt: AT,
	ms: 3,
	started: true,
	...part,
});

export const finding = (part: Partial<Finding> = {}): Finding =>
	aFinding({ issue: "The burst is not refused.", ...part });

/** A session of two agents after one iteration. */
export const pairRecord = (part: Partial<PairRecord> = {}): PairRecord => ({
	session: {
		runId: RUN,
		taskId: TASK,
		driver: "dev",
		challenger: "rev",
		currentDriver: "rev",
		roleSwitch: "checkpoint",
		checkpoints: [1, "core"],
		maxIterations: 5,
		iteration: 1,
		history: [
			{
				iteration: 1,
				turn: 1,
				driver: "dev",
				summary: HOSTILE,
				critique: "no tests",
				findings: [{ id: "F1", issue: HOSTILE, severity: "major", state: "open" }],
				approved: false,
				completedSubtask: "core",
			},
		],
		challengerApproved: false,
	},
	digest: "e".repeat(64),
	previousDigest: null,
	...part,
});

export const scored = (part: Partial<ScoredTurn> = {}): ScoredTurn => ({
	runId: RUN,
	taskId: TASK,
	turn: 1,
	tree: "d".repeat(40),
	agent: "dev",
	score: 0.45,
	createdAt: AT,
	metrics: [
		{ type: "lint_score", score: null, weight: 1 },
		{ type: "llm_judge", evaluator_agent: "eve", score: 0.9, weight: 1.5 },
	],
	...part,
});

/** A first attempt, which the tie-breaker decided for the developer. */
export const conflict = (part: Partial<ConflictRecord> = {}): ConflictRecord => ({
	conflictId: "c1",
	threadId: `${RUN}/${TASK}/1`,
	taskId: TASK,
	developerVerdict: "PASS",
	reviewerVerdict: "FAIL",
	resolution: "AUTO",
	tieBreakerDecision: "PASS",
	rationale: "line 4 refuses it",
	escalationReason: null,
	attemptCount: 1,
	resolvedAt: AT,
	...part,
});

/** The dispute of F1 in turn 2, taken up in the same turn. */
export const dispute = (part: Partial<ConflictSubject> = {}): ConflictSubject => ({
	finding: "F1",
	turn: 2,
	disputeTurn: 2,
	tieBreaker: "arbiter",
	...part,
});

export const part = (over: Partial<FindingAnswer> = {}): FindingAnswer => ({
	choice: "take_reviewer",
	directive: null,
	notes: null,
	answeredAt: AT,
	...over,
});

export const item = (part: ItemPart = {}): HumanItem =>
	anItem({
		id: "i1",
		runId: RUN,
		taskId: TASK,
		reason: "10 turns without approval",
		choices: ["take_developer", "directive"],
		context: { diff_path: "diffs/1.diff" },
		createdAt: AT,
		...part,
	});

export const answer = (part: Partial<Answer> = {}): Answer => ({
	choice: "directive",
	directive: "use a token bucket",
	notes: null,
	reason: null,
	answeredAt: AT,
	...part,
});

export const event = (attempt: number, ofTask: string | null = TASK): TraceEvent => ({
	type: "merge-refused",
	task: ofTask,
	turn: 1,
	node: "merge",
	timestamp: AT,
	data: { attempt, reason: HOSTILE },
});
