import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { LeftWork } from "../kernel/left-work.ts";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { Role } from "../kernel/roles.ts";
import type { AnsweredPlace, SuspectedPlace } from "../kernel/suspected-place.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";
import type { ConflictsReason, TextReason } from "./conflicts-reason.ts";
import type { CriterionStatement } from "./criterion-statement.ts";
import type { FindingArgument } from "./finding-argument.ts";

/** The data of an event by type. Type names are noun first, past tense, and part of the stored format. */
export interface EventData {
	"run-started": {
		workflow: string;
		base: string;
		base_commit: string;
		branch: string;
		tasks: string[];
		/** Adapters and commands, by name. Left out by older versions. */
		agents?: Readonly<Record<string, string>>;
		checks?: Readonly<Record<string, string>>;
	};
	"run-resumed": { owner: string; player?: string; coach?: string; model?: string };
	"run-ended": { status: RunStatus };
	"run-landed": { branch: string; commit: string };
	/** With several machines, where a worker lands a run: why it did not. On one machine the command says so. */
	"landing-refused": { branch: string; reason: string };
	/** The landing merged a base that had moved, and the checks passed on that; both branches are about to move there. */
	"base-merged": { base: string; into: string; commit: string };
	/**
	 * Something was in the way before the run's first call; an event only where that was so. `stopped`: the run did not go
	 * on, and waits to be resumed.
	 */
	"preflight-ended": {
		outcome: "went_on" | "stopped";
		problems: {
			kind: "setup" | "check" | "unclear" | "all_fail" | "lacking" | "red";
			check: string | null;
			reason: string | null;
			said: readonly string[];
		}[];
	};
	"task-started": {
		branch: string;
		start_commit: string;
		bound: number;
		player: string;
		coach: string | null;
		feature_id: string | null;
		/** Absolute path of the player's checkout; null for a formal review, which has none. */
		checkout: string | null;
	};
	"task-reopened": { bound: number };
	/** An error ended the work on it, which a resume takes up again. `code`: of a fault; null for a bug. */
	"task-stopped": {
		code: string | null;
		message: string;
		hint: string | null;
		/** Whether another task of the run goes on; left out where nobody knows, as in a run of several machines. */
		others_go_on?: boolean;
	};
	"task-ended": {
		status: TaskStatus;
		reason: string | null;
		turns: number;
		merged: boolean;
		flags: string[];
		/** Absolute path of the player's checkout, where it is kept: the work has not merged. */
		checkout: string | null;
		/** Only where conflicts are the reason. */
		conflicts?: ConflictsReason;
	};
	/** `bound`: turns that the task may take in all, as it stands now. */
	"node-entered": { phase: TaskPhase; bound?: number };
	"node-left": { ms: number; passed_through: string | null };
	"setup-ran": {
		checkout: string;
		status: EvidenceStatus;
		ms: number;
		reason: string | null;
		/** Of a setup that failed the last lines of its output that say why. */
		said?: readonly string[] | undefined;
	};
	/** A checkout got what was kept of a setup, instead of running it. */
	"setup-copied": { checkout: string; ms: number };
	/**
	 * A call has to wait, and for what; only where one does. `limit` is the agent's, null for a budget: there the rest is
	 * set aside for calls under way.
	 */
	"call-queued": {
		role: Role;
		agent: string;
		why: "max_parallel" | "requests_per_minute" | "budget" | "quota";
		limit: number | null;
		/** Of an account that has reached its limit: when that is lifted. */
		until?: string;
	};
	/** `conventions`: files of instructions at the run's base whose text the player got; left out where there are none. */
	"agent-called": { role: Role; agent: string; call: number; conventions?: readonly string[] };
	/** The program of a call tries its requests again, and did nothing else for `ms`; once of each time that this lasts. */
	"call-retrying": { role: Role; agent: string; call: number; ms: number; said: string };
	"agent-answered": {
		role: Role;
		agent: string;
		call: number;
		ms: number;
		/** Of the transcript, in characters (Unicode code points): of what is kept of the output, masked. */
		output_length: number;
		transcript: string | null;
		usage: unknown;
	};
	"agent-failed": {
		role: Role;
		agent: string;
		call: number;
		failure: string;
		message: string;
		ms: number;
		output_length: number;
		usage: unknown;
	};
	/** An agent can no longer be used; its fallback is called instead. */
	"agent-replaced": { role: Role; agent: string; fallback: string; why: string };
	/** The git objects of these turns are damaged; the task continues from `commit`, the last intact state. */
	"turns-lost": { turns: number[]; commit: string; reason: string };
	/** The checkout of a finished call is gone, and its work with it; the call is repeated. */
	"work-lost": { role: Role; agent: string; call: number; reason: string };
	"report-rejected": { role: Role; agent: string; call: number; reason: string };
	/**
	 * Claims of the player about its turn, for people. A long text is cut at 4,000 characters with an ellipsis, a long
	 * list after 200 entries; its disputes are told with the findings.
	 */
	"player-reported": {
		files_modified: string[];
		files_created: string[];
		tests_written: string[];
		checks_passed: string[];
		implementation_notes: string;
		/** What it is unsure of. The coach does not see it. */
		concerns: string[];
	};
	/** The player says that it cannot go on. */
	"player-blocked": PlayerBlocked;
	/** `lines` of text that changed; left out where the difference is too large to be counted. */
	"snapshot-taken": {
		commit: string;
		tree: string;
		changed: number;
		empty: boolean;
		lines?: { added: number; removed: number } | undefined;
	};
	/** The player committed or stashed work in its checkout and left the files as they were; refs of the run keep it. */
	"work-left": { work: readonly LeftWork[] };
	"check-ran": {
		check: string;
		/** Of an item of a checklist its text; left out otherwise. */
		item?: string;
		kind: string;
		purpose: "baseline" | "turn" | "assembled";
		status: EvidenceStatus;
		reason: string | null;
		/** Of a check without a value the last lines of its output that say why; left out where there are none. */
		said?: readonly string[] | undefined;
		tree: string;
		ms: number;
		/** Start of the execution whose result was taken instead of another one; left out where it ran now. */
		reused?: string | undefined;
		counts: unknown;
		mutants?: {
			readonly detected: number;
			readonly undetected: number;
			readonly pending: number;
			readonly survivors: readonly {
				readonly file: string;
				readonly line: number;
				readonly operator: string;
				readonly old: string;
				readonly new: string;
			}[];
		};
	};
	"phase-changed": { from: TaskPhase; to: TaskPhase };
	/** New test files were taken from a verifier's checkout; `left` are changed files that were not. */
	"tests-taken": { call: number; files: string[]; left: string[] };
	/** A verifier's tests ran: on the turn's commit, the start commit, a mutant of the change, or the merged tree. */
	"verification-ran": {
		suite: string;
		place: string;
		status: "pass" | "fail" | "none";
		/** Why it says nothing; null otherwise. */
		problem: string | null;
		ms: number;
		/** How many tests ran; null where nothing counted them. */
		cases: number | null;
	};
	"verification-decided": {
		verdict: "passed" | "failed" | "skipped" | "inconclusive";
		required: boolean;
		reasons: readonly string[];
		tests: readonly { readonly path: string; readonly name: string; readonly status: string }[];
		run: string | null;
		output_path: string | null;
		commit: string | null;
		/** Failed verifications in a row, this one included. */
		attempts: number;
	};
	"integrity-checked": {
		status: EvidenceStatus;
		violations: string[];
		notes: string[];
		/** First lines of what was weakened, before and after; left out where there is nothing. */
		weakened?: { file: string; line: number | null; before: string[]; after: string[] }[];
		/** What code alone cannot decide; left out where there is nothing. */
		suspicions?: (SuspectedPlace & { text: string })[];
		/** What would have blocked and the task allows; left out where there is nothing. */
		allowed?: { path: string; change: string; reason: string }[];
	};
	/** The suspicions of a turn, with what the coach or a person said of them. */
	"suspicions-answered": {
		suspicions: AnsweredPlace[];
	};
	/** The base's own tests are to run on the product of this turn, or of the assembled tree. */
	"replay-planned": {
		purpose: "turn" | "assembled";
		/** `none`: no file of the tests differs, so the run of the check is the replay. */
		differs: "none" | "added" | "changed";
		/** Files of the base that are put back, and the player's that are left out. */
		restored: string[];
		left_out: string[];
	};
	/** The player's claims, held against the diff and Sparring's own runs. */
	"claims-compared": {
		/** Share of the claims that could be looked up and are so, 0 to 1; 1 without any. */
		honest: number;
		/** One sentence for each false claim. */
		discrepancies: string[];
		/** Reports of this player in a row with a false claim, this one included. */
		in_a_row: number;
	};
	"turn-judged": {
		raw: "approve" | "feedback" | null;
		effective: "approve" | "feedback" | null;
		reasons: string[];
		rationale: string;
		/**
		 * What the coach says that it tried in order to break the work. Left out where the verdict was computed again
		 * without the coach.
		 */
		attempts?: { what: string; command: string; outcome: string }[] | undefined;
		/** What the coach says of each criterion. Left out likewise. */
		criteria?: CriterionStatement[] | undefined;
	};
	/** The score of a turn. Advisory. */
	"confidence-scored": {
		mode: "composite" | "raw";
		/** Both from 0.0 to 1.0. */
		score: number;
		threshold: number;
		/** `confidence threshold met`, or null. */
		advisory: string | null;
		metrics: readonly {
			readonly type: string;
			/** Null when there is no value; counted as 0.0. */
			readonly score: number | null;
			readonly weight: number;
			readonly reason: string;
			readonly evaluator_agent?: string | undefined;
			readonly rationale?: string;
		}[];
		/** One sentence for each metric without a value, and for what else lowered the score. */
		warnings: readonly string[];
		/** What evaluators say of each criterion, where no coach does. Left out where none was asked. */
		criteria?: CriterionStatement[];
	};
	"gate-evaluated": { verdict: "PASS" | "FAIL"; rule: string; risk_tier: string };
	"turn-routed": TextReason & { route: "approve" | "feedback" | "escalate" | "max_turns" };
	/** A subtask was approved in this turn. */
	"subtask-completed": { subtask: string; turn: number };
	/** The seats from the next turn on; `after` is the turn or subtask that triggered the switch. */
	"seats-switched": { player: string; coach: string; after: number | string };
	"review-decided": { decision: "approve" | "feedback"; rationale: string };
	"finding-changed": {
		finding: string;
		state: string;
		severity: string;
		issue: string;
		blocking: boolean;
		/** Where it was seen, the line from 1. Left out where no place was named. */
		file?: string | undefined;
		line?: number | undefined;
		/** What was said for this change; left out where nothing was. */
		argument?: FindingArgument | undefined;
	};
	/** A dispute was not accepted, such as one without new evidence after a ruling. */
	"dispute-ignored": { finding: string; reason: string };
	/** A settled finding was raised again; it stays closed. */
	"finding-ignored": { finding: string; reason: string };
	/** A disputed finding was upheld by who raised it, default the coach; an attempt to settle it begins. */
	"conflict-detected": {
		conflict: string;
		finding: string;
		attempt: number;
		upheld_by?: "coach" | "verifier";
	};
	"conflict-resolved": {
		conflict: string;
		finding: string;
		attempt: number;
		upheld_by?: "coach" | "verifier";
		resolution: "AUTO" | "ESCALATE";
		/** Agent that was asked as the tie-breaker; null where nobody was. */
		tie_breaker: string | null;
		decision: "PASS" | "FAIL" | null;
		rationale: string | null;
		escalation_reason: string | null;
	};
	/** Only a person can settle the conflict. Name and keys match the event on the bus. */
	"orchestrator:conflict:escalation": {
		conflictId: string;
		taskId: string;
		escalationReason: string;
	};
	/** The task waits for a person because of a conflict. Once per conflict. */
	PAUSED_FOR_USER_ESCALATION: { conflict: string; reason: string };
	"item-opened": TextReason & { item: string; trigger: string };
	/**
	 * A notification about an item was sent or failed; about the end of the run where `item` is null. `target` names the
	 * recipient, without secrets.
	 */
	"person-notified": {
		item: string | null;
		target: string;
		outcome: "sent" | "failed";
		reason: string | null;
	};
	/** A person answered. While conflicts of the item are left its status says so, and `choice` is null. */
	"item-answered": {
		item: string;
		status: string;
		choice: string | null;
		by?: "terminal" | "page" | "program";
		/** The choice for each finding that this answer is for; only in answers to conflicts. */
		findings?: Readonly<Record<string, string>>;
		/** What the answer added to a budget, if anything. */
		added?: { scope: "run" | "task"; usd: number; wall_ms: number };
	};
	/** A budget is nearly spent. Once, and again after a person enlarges it. `task` is null for the run's budget. */
	"budget-warned": {
		scope: "run" | "task";
		kind: "usd" | "wall";
		/** US dollars or milliseconds, by `kind`. */
		limit: number;
		spent: number;
		/** Calls of unknown cost, which `spent` does not include. */
		unknown_cost_calls: number;
	};
	/**
	 * Early warning after a turn: the work would merge or not, into the integration branch unless `against` is there:
	 * another task, or what has merged since the task began (null).
	 */
	"merge-forecast": { clean: boolean; conflicts: string[]; against?: string | null };
	/** Files of a verifier's tests that do not land: another task has landed something else at these paths. */
	"tests-left-out": { files: string[] };
	"merge-refused": { reason: string; attempt: number };
	/**
	 * Commit that landed on the branch `into`, the tip that it was made for, and the commit of the turn that was
	 * merged.
	 */
	"task-merged": { commit: string; into: string; onto: string; turn_commit: string };
}

export type EventType = keyof EventData;

/** One thing that happened. `task`, `turn` and `node` are null when it belongs to none. */
export type TraceEvent = {
	[Type in EventType]: {
		readonly type: Type;
		readonly task: string | null;
		readonly turn: number | null;
		readonly node: string | null;
		/** ISO 8601 UTC. */
		readonly timestamp: string;
		readonly data: EventData[Type];
	};
}[EventType];

/** An event as stored. `id` is its position in the repository's log. */
export type StoredEvent = TraceEvent & { readonly id: number; readonly run: string };

/** Called for each event after it was stored, in order. It must not throw and is not awaited. */
export type EventListener = (event: StoredEvent) => void;
