import type { Usage } from "../agents/agent.ts";
import type { LaterVerdicts } from "../confidence/calibration-of.ts";
import type { CriterionClaim } from "../confidence/metric.ts";
import type { ConflictRecord, ConflictSubject, FindingConflict } from "../conflict/conflict.ts";
import type { ChecklistResult } from "../evidence/checklist.ts";
import type { CheckQuery, Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { Answer, FindingAnswer, HumanItem } from "../human/human-item.ts";
import type { Person } from "../kernel/person.ts";
import type { Role } from "../kernel/roles.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";
import type { Finding } from "../review/finding.ts";
import type { PairRecord } from "../review/pair-session.ts";
import type { VerdictReason } from "../review/verdict-reason.ts";
import type { StoredEvent, TraceEvent } from "../trace/event.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { AnswerTerms } from "./answer-terms.ts";
import type { Overviews } from "./overviews.ts";
import type { ScoredTurn, ScoreRecord } from "./scores.ts";
import type { BudgetKind, RunSpending } from "./spending.ts";

/** One execution of a workflow. */
export interface RunRecord {
	readonly runId: string;
	readonly workflow: Workflow;
	readonly baseBranch: string;
	readonly baseCommit: string;
	readonly branch: string;
	readonly status: RunStatus;
	readonly createdAt: string;
	readonly endedAt: string | null;
	/** Author and committer of what the run merges: the user who started it. */
	readonly identity: Person;
	/** Commit of the base branch after landing; null when not landed. */
	readonly landedCommit: string | null;
	/** Absolute path of the cassette that is being recorded; stored as seen from the repository, see `portableRecords`. */
	readonly recordFile: string | null;
	/** True once `spar cancel` asked for it. */
	readonly cancelRequested: boolean;
	/** True once `spar prune` removed its checkouts and refs. */
	readonly pruned: boolean;
}

/** State of one task of a run. */
export interface TaskRecord {
	readonly runId: string;
	readonly taskId: string;
	/** From 0, in dependency order. */
	readonly position: number;
	readonly status: TaskStatus;
	readonly phase: TaskPhase;
	/** Turns that the player has begun. */
	readonly turns: number;
	readonly success: boolean | null;
	readonly failureReason: string | null;
	readonly flags: readonly string[];
	readonly branch: string;
	/** Commit that the task began on; null before it started. */
	readonly startCommit: string | null;
	/** The last snapshot. */
	readonly commit: string | null;
	readonly merged: boolean;
	/** Commit on the integration branch; null before it merged. */
	readonly mergedCommit: string | null;
	readonly challengerApproved: boolean | null;
	readonly gate: { readonly riskTier: string; readonly verdict: "PASS" | "FAIL" } | null;
	readonly verification: "passed" | "failed" | "skipped" | "inconclusive" | null;
	readonly openFindings: number;
	/** Id of the open item. */
	readonly humanItem: string | null;
	readonly startedAt: string | null;
	readonly endedAt: string | null;
	/** Grows with each reopening by `spar resume --max-turns`; part of the LangGraph thread id. */
	readonly epoch: number;
	/** Bound in force; differs from the workflow's after `--max-turns`. */
	readonly bound: number;
	/** Place of the subtask that is worked on, from 0; 0 too where the task has none. */
	readonly subtask: number;
	/** The last turn before that subtask began; 0 for the first. The bound counts the turns after it. */
	readonly subtaskStart: number;
	/** Score of the last turn that was scored, from 0.0 to 1.0; null where nothing is scored. */
	readonly confidenceScore: number | null;
	/** Reasons why that score is lower than it reads, one sentence each. */
	readonly confidenceWarnings: readonly string[];
	/** Of the last turn whose checklist was run; empty without one. */
	readonly checklist: readonly ChecklistResult[];
}

export type TaskPatch = Partial<Omit<TaskRecord, "runId" | "taskId" | "position">>;

declare const RESULT: unique symbol;

/** Name of one piece of work in a task, so that a node that runs twice has its effect once. */
export interface StepKey<Result = unknown> {
	readonly [RESULT]?: Result;
	readonly runId: string;
	readonly taskId: string;
	readonly turn: number;
	/** Node, or node and part, such as `player_turn` or `merge/2`. Whoever makes the key says what it holds. */
	readonly step: string;
}

/** A finished call of an agent. */
export interface CallRecord {
	readonly runId: string;
	readonly taskId: string;
	readonly subtask: string | null;
	readonly turn: number;
	readonly role: Role;
	readonly call: number;
	readonly agent: string;
	/** `answered`, or one of the closed set of failures. */
	readonly outcome: string;
	/** Masked text of the report; null when none was handed in. */
	readonly report: string | null;
	/** Reason why what stood in the place of a report is none, such as a symbolic link. */
	readonly reportProblem: string | null;
	readonly message: string | null;
	readonly transcriptPath: string | null;
	/** Id of the checkout whose content is the answer; null for a role that only reports. */
	readonly checkout: string | null;
	readonly startedAt: string;
	readonly ms: number;
	readonly usage: Usage | null;
}

/** Record of one turn, for stall detection, prompts and readers. */
export interface TurnRecord {
	readonly runId: string;
	readonly taskId: string;
	readonly turn: number;
	readonly commit: string;
	readonly tree: string;
	/** Commit that the coach last reviewed before this turn; null in its first round. */
	readonly reviewedFrom: string | null;
	readonly raw: "approve" | "feedback" | null;
	readonly effective: "approve" | "feedback" | null;
	readonly reasons: readonly VerdictReason[];
	/** The coach's word on each criterion that it was asked to judge; null when no coach judged the turn. */
	readonly claims: readonly CriterionClaim[] | null;
	readonly rationale: string;
	/** Player's own notes, masked: shown to people, never to the coach. */
	readonly notes: string;
	/** Doubts of the player, masked, see `concernsOf`: for people, like its notes. */
	readonly concerns: readonly string[];
	/** Normalised texts of the findings that stood in the way of an approval after the turn, sorted. */
	readonly openIssues: readonly string[];
	/** True when the turn counts in no stall (upheld dispute, evidence absent or error). */
	readonly exempt: boolean;
	/** True when a person's answer came after this turn: counters start again. */
	readonly restarted: boolean;
	readonly route: string | null;
}

/** The step of a gate's report of a turn. */
export function gateReportStep(
	{ runId, taskId }: Pick<StepKey, "runId" | "taskId">,
	turn: number,
): StepKey<GateReport> {
	return { runId, taskId, turn, step: "gate-report" };
}

/** A finished step, with the result that its key asks for. */
export function stepWrite<Result>(key: StepKey<Result>, result: NoInfer<Result>): Write {
	return { kind: "step", key, result };
}

/** One change of the records. A batch of them is one transaction. */
export type Write =
	| {
			readonly kind: "run";
			readonly runId: string;
			readonly patch: Partial<
				Pick<
					RunRecord,
					"workflow" | "status" | "endedAt" | "landedCommit" | "cancelRequested" | "pruned"
				>
			>;
	  }
	| {
			readonly kind: "task";
			readonly runId: string;
			readonly taskId: string;
			readonly patch: TaskPatch;
	  }
	| { readonly kind: "step"; readonly key: StepKey; readonly result: unknown }
	| { readonly kind: "call"; readonly call: CallRecord }
	| { readonly kind: "turn"; readonly turn: TurnRecord }
	| {
			readonly kind: "evidence";
			readonly runId: string;
			readonly taskId: string;
			readonly turn: number;
			readonly attempt: number;
			readonly evidence: Evidence;
	  }
	| {
			readonly kind: "finding";
			readonly runId: string;
			readonly taskId: string;
			readonly finding: Finding;
	  }
	| { readonly kind: "pair-session"; readonly record: PairRecord }
	| { readonly kind: "score"; readonly score: ScoredTurn }
	/** What was said later of a scored turn; of one that was not scored it changes nothing. */
	| {
			readonly kind: "score-outcome";
			readonly runId: string;
			readonly taskId: string;
			readonly turn: number;
			readonly patch: Partial<LaterVerdicts>;
	  }
	/** An attempt at settling a conflict, with what it is about; one that is stored already stays as it is. */
	| {
			readonly kind: "conflict";
			readonly runId: string;
			readonly record: ConflictRecord;
			readonly about: ConflictSubject;
	  }
	/** The task pauses because of a conflict; the event is written the first time only. */
	| {
			readonly kind: "conflict-paused";
			readonly runId: string;
			readonly conflictId: string;
			readonly event: TraceEvent;
	  }
	| { readonly kind: "item"; readonly item: HumanItem }
	| { readonly kind: "item-consumed"; readonly itemId: string }
	| { readonly kind: "event"; readonly run: string; readonly event: TraceEvent }
	/** Adds to the time in which a process held the run and, by task id, worked on a task. Milliseconds. */
	| {
			readonly kind: "time";
			readonly runId: string;
			readonly heldMs: number;
			readonly tasks: Readonly<Record<string, number>>;
	  }
	/** The budget of the task, or with null of the run, runs out; the event is written the first time only. */
	| {
			readonly kind: "budget-warned";
			readonly runId: string;
			readonly taskId: string | null;
			readonly budget: BudgetKind;
			readonly event: TraceEvent;
	  };

/** A run as a whole, one of its tasks, or its integration branch; each is held by itself. */
export type LeaseScope = "run" | "integration" | { readonly task: string };

/**
 * Proof that a process may write for a run: checked inside each write transaction.
 * A write whose fence no longer holds fails with a `lease-lost` fault and changes nothing.
 *
 * The run's writes all of it, a task's what is of the task, that of the integration branch nothing.
 */
export interface Fence {
	readonly runId: string;
	readonly scope: LeaseScope;
	/** From 1. */
	readonly epoch: number;
}

/**
 * The records of all runs of a repository. Reads see only committed writes.
 *
 * `commit` is one transaction: all of the batch or nothing, with the fence checked inside. Writing the same step,
 * call, turn, evidence, finding or pair session again replaces it; a call counts once in the totals of its task however
 * often it is written. A turn that is scored again keeps what was said of it later, unless its tree is another one.
 * Events get their ids in the order of the batch.
 * Writing an item again updates it while it is open and never takes a person's answer back.
 * Task moves that `canMove` forbids, writes for another run than the fence's, a second open item of a task, and
 * consuming an item that nobody answered are bugs and throw. To the events of a batch that consumes an item belong those
 * of its answer: they have been stored since it was given, and nobody who follows the run by its commits has seen them.
 */
export interface Records extends Overviews {
	/** One transaction with the writes that go with it, such as its first event. */
	createRun(
		run: RunRecord,
		tasks: readonly TaskRecord[],
		fence: Fence,
		writes?: readonly Write[],
	): Promise<readonly StoredEvent[]>;
	commit(fence: Fence, writes: readonly Write[]): Promise<readonly StoredEvent[]>;

	/** Runs, newest first: in the order in which they were created, whatever the clock said. */
	runs(): Promise<readonly RunRecord[]>;
	/** The id of the first of them; undefined where nothing ran yet. */
	newestRun(): Promise<string | undefined>;
	run(runId: string): Promise<RunRecord | undefined>;
	/** In dependency order. */
	tasks(runId: string): Promise<readonly TaskRecord[]>;
	task(runId: string, taskId: string): Promise<TaskRecord | undefined>;
	/** The commits with which tasks of a run have merged, in dependency order. */
	mergedCommits(runId: string): Promise<readonly string[]>;

	/** The result of a step as it was written; undefined when the step has not been done. */
	step<Result>(key: StepKey<Result>): Promise<Result | undefined>;
	/** All calls of a task that have ended, in the order in which they were stored. */
	taskCalls(runId: string, taskId: string): Promise<readonly CallRecord[]>;
	/** Calls of a role in a turn, in order. */
	calls(runId: string, taskId: string, turn: number, role: Role): Promise<readonly CallRecord[]>;
	/** The newest `limit` turns, newest first. */
	turns(runId: string, taskId: string, limit: number): Promise<readonly TurnRecord[]>;
	turn(runId: string, taskId: string, turn: number): Promise<TurnRecord | undefined>;
	/** Evidence of one turn with its cases; of one check and purpose the last attempt. `turn` 0 is the baseline. */
	evidence(runId: string, taskId: string, turn: number): Promise<readonly Evidence[]>;
	/** The newest evidence of a check with a value for a tree, in this run, of any purpose. */
	evidenceFor(runId: string, tree: string, of: CheckQuery): Promise<Evidence | undefined>;
	/** All findings of a task in the order they were raised. */
	findings(runId: string, taskId: string): Promise<readonly Finding[]>;
	/** Findings that are neither fixed nor withdrawn nor overruled; does not grow with history. */
	openFindings(runId: string, taskId: string): Promise<readonly Finding[]>;
	/** Findings whose `findingKey(finding)` is among `keys`, in the order they were raised. */
	findingsByIssue(
		runId: string,
		taskId: string,
		keys: readonly string[],
	): Promise<readonly Finding[]>;
	/** Number of findings of the task, in any state; does not grow in cost with them. */
	findingCount(runId: string, taskId: string): Promise<number>;
	/** Attempts at settling conflicts of a task, in the order they were resolved. */
	conflicts(runId: string, taskId: string): Promise<readonly FindingConflict[]>;
	/** The pair session of a task; undefined for a task that has none. */
	pairSession(runId: string, taskId: string): Promise<PairRecord | undefined>;
	/** The scored turns of all runs, in the order they were scored, with what was said of them later. */
	scores(): Promise<readonly ScoreRecord[]>;

	/** Zeros for a run that is not stored. Does not grow in cost with its history. */
	spending(runId: string): Promise<RunSpending>;
	/**
	 * The highest known cost of a finished call, in US dollars, by agent; null for an agent that answered without ever
	 * telling a cost. One that neither answered nor told is left out. Looks at all calls of the run.
	 */
	highestCosts(runId: string): Promise<ReadonlyMap<string, number | null>>;

	/** All items, the one stored last first; of one run when it is named. */
	items(runId?: string): Promise<readonly HumanItem[]>;
	item(itemId: string): Promise<HumanItem | undefined>;
	/**
	 * Stores a person's answer and, where it is new, its event. Idempotent: the same answer again is accepted; a different
	 * one to a closed item is an `answer-invalid` fault. Needs no fence: a person holds no lease.
	 */
	answer(
		itemId: string,
		status: "ACKED" | "RESOLVED" | "REJECTED",
		answer: Answer | null,
		terms?: AnswerTerms,
	): Promise<HumanItem>;
	/**
	 * Stores a person's answer to one of the conflicts that an item asks about. Once the last of them is answered the
	 * item is RESOLVED with what the answers come to together. Idempotent like `answer`: another answer for a finding
	 * that has one is an `answer-invalid` fault. Needs no fence.
	 */
	answerFindings(
		itemId: string,
		findings: readonly string[],
		part: FindingAnswer,
		terms?: Omit<AnswerTerms, "grant">,
	): Promise<HumanItem>;
	/** Asks the holder of the run to stop. Needs no fence. */
	requestCancel(runId: string): Promise<void>;
	/** True once the holder of the run was asked to stop; cheap enough to poll. */
	cancelRequested(runId: string): Promise<boolean>;
	/** Events in the order of their ids: of one task when it is named, with an id above `after`. */
	events(
		runId: string,
		options?: { readonly task?: string; readonly after?: number },
	): Promise<readonly StoredEvent[]>;
}

/** Holder of a run, for a process that is refused. */
export interface LeaseHolder {
	readonly host: string;
	readonly pid: number;
	readonly since: string;
	/** Its last heartbeat. */
	readonly seenAt: string;
}

/** A run, or a part of it, taken for this process. */
export interface Lease extends Fence, AsyncDisposable {
	/** Aborted when another process took it over. */
	readonly lost: AbortSignal;
	/** Gives it free; idempotent. */
	release(): Promise<void>;
}

/**
 * Ownership of runs and their parts, one process each. Taking a lease adds 1 to its epoch, which fences the former holder.
 *
 * What a running process holds is refused with a `run-held` fault that names it. Where the process has died it is taken
 * over at once on the same machine; that of another machine after its heartbeat is 30 s old.
 */
export interface Leases {
	/** @param scope by default the run as a whole */
	take(runId: string, scope?: LeaseScope): Promise<Lease>;
	/** The live holder, if any. @param scope by default the run as a whole, else any part of it */
	holder(runId: string, scope?: LeaseScope): Promise<LeaseHolder | undefined>;
}
