import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { Role } from "../kernel/roles.ts";
import type { RunStatus, TaskPhase, TaskStatus } from "../kernel/task-state.ts";

/** Words of one side about a finding. */
export interface FindingArgument {
	readonly by: "player" | "coach" | "tie_breaker" | "person";
	readonly text: string;
	readonly evidence: string | null;
}

/** What an event says, by type: noun first, past tense. The type names are a stored format. */
export interface EventData {
	"run-started": {
		workflow: string;
		base: string;
		base_commit: string;
		branch: string;
		tasks: string[];
	};
	"run-resumed": { owner: string };
	"run-ended": { status: RunStatus };
	"run-landed": { branch: string; commit: string };
	"run-cancelled": { by: string };
	"task-started": {
		branch: string;
		start_commit: string;
		bound: number;
		player: string;
		coach: string | null;
	};
	"task-reopened": { bound: number };
	"task-ended": {
		status: TaskStatus;
		reason: string | null;
		turns: number;
		merged: boolean;
		flags: string[];
	};
	"node-entered": { phase: TaskPhase };
	"node-left": { ms: number; passed_through: string | null };
	"setup-ran": { checkout: string; status: EvidenceStatus; ms: number; reason: string | null };
	"agent-called": { role: Role; agent: string; call: number };
	"agent-answered": {
		role: Role;
		agent: string;
		call: number;
		ms: number;
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
		usage: unknown;
	};
	/** An agent could not be used any more, and its fallback is called in its place. */
	"agent-replaced": { role: Role; agent: string; fallback: string; why: string };
	/** Objects of these turns cannot be read any more; the task goes on from `commit`, the last state that is whole. */
	"turns-lost": { turns: number[]; commit: string; reason: string };
	/** A finished call's checkout is gone: its work is lost, and the call is made again. */
	"work-lost": { role: Role; agent: string; call: number; reason: string };
	"report-rejected": { role: Role; agent: string; call: number; reason: string };
	"snapshot-taken": { commit: string; tree: string; changed: number; empty: boolean };
	"check-ran": {
		check: string;
		kind: string;
		purpose: "baseline" | "turn" | "assembled";
		status: EvidenceStatus;
		reason: string | null;
		tree: string;
		ms: number;
		counts: unknown;
	};
	"integrity-checked": { status: EvidenceStatus; violations: string[]; notes: string[] };
	"claims-compared": { honest: number; discrepancies: string[] };
	"turn-judged": {
		raw: "approve" | "feedback" | null;
		effective: "approve" | "feedback" | null;
		reasons: string[];
		rationale: string;
	};
	/** The score of a turn, which decides nothing by itself. */
	"confidence-scored": {
		mode: "composite" | "raw";
		/** Both from 0.0 to 1.0. */
		score: number;
		threshold: number;
		/** `confidence threshold met`, or null. */
		advisory: string | null;
		metrics: readonly {
			readonly type: string;
			/** null without a value, which counts as 0.0. */
			readonly score: number | null;
			readonly weight: number;
			readonly reason: string;
			readonly evaluator_agent?: string;
			readonly rationale?: string;
		}[];
	};
	"gate-evaluated": { verdict: "PASS" | "FAIL"; rule: string; risk_tier: string };
	"turn-routed": { route: "approve" | "feedback" | "escalate" | "max_turns"; reason: string };
	/** A part of the task is done, in this turn. */
	"subtask-completed": { subtask: string; turn: number };
	/** Who sits where from the next turn on; `after` is the turn or the subtask that was reached. */
	"seats-switched": { player: string; coach: string; after: number | string };
	/** A formal review of other tasks' merged work was decided. */
	"review-decided": { decision: "approve" | "feedback"; rationale: string };
	"finding-changed": {
		finding: string;
		state: string;
		severity: string;
		issue: string;
		blocking: boolean;
		/** What was said for this change; left out where nothing was. */
		argument?: FindingArgument;
	};
	/** A dispute that was not taken up, such as one without new evidence after a ruling. */
	"dispute-ignored": { finding: string; reason: string };
	/** A settled finding was raised again, and stays closed. */
	"finding-ignored": { finding: string; reason: string };
	/** A disputed finding was upheld, and an attempt to settle it begins. */
	"conflict-detected": { conflict: string; finding: string; attempt: number };
	"conflict-resolved": {
		conflict: string;
		finding: string;
		attempt: number;
		resolution: "AUTO" | "ESCALATE";
		decision: "PASS" | "FAIL" | null;
		rationale: string | null;
		escalation_reason: string | null;
	};
	/** Nobody but a person can settle a conflict. Name and keys are those of the event on the bus. */
	"orchestrator:conflict:escalation": {
		conflictId: string;
		taskId: string;
		escalationReason: string;
	};
	/** The task waits for a person because of a conflict: once for each conflict. */
	PAUSED_FOR_USER_ESCALATION: { conflict: string; reason: string };
	"item-opened": { item: string; trigger: string; reason: string };
	/** Somebody was told of an item, or could not be. `target` says whom for people, without secrets. */
	"person-notified": {
		item: string;
		target: string;
		outcome: "sent" | "failed";
		reason: string | null;
	};
	"item-answered": {
		item: string;
		status: string;
		choice: string | null;
		/** What was chosen for each finding; only where conflicts were answered. */
		findings?: Readonly<Record<string, string>>;
		/** What the answer added to a budget; only where it did. */
		added?: { scope: "run" | "task"; usd: number; wall_ms: number };
	};
	/** A budget runs out: told once, and again after a person enlarged it. `task` is null for the run's budget. */
	"budget-warned": {
		scope: "run" | "task";
		kind: "usd" | "wall";
		/** US dollars or milliseconds, as `kind` says. */
		limit: number;
		spent: number;
		/** Calls whose cost nobody knows, so that `spent` leaves them out. */
		unknown_cost_calls: number;
	};
	"merge-forecast": { clean: boolean; conflicts: string[] };
	"merge-refused": { reason: string; attempt: number };
	"task-merged": { commit: string; into: string };
}

export type EventType = keyof EventData;

/** One thing that happened. `task`, `turn` and `node` say where, null when it is not of a task, turn or node. */
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

/** An event as stored: its place in the log of the repository, and its run. */
export type StoredEvent = TraceEvent & { readonly id: number; readonly run: string };

/** Told of each event after it was stored, in order. It must not throw and is never awaited. */
export type EventListener = (event: StoredEvent) => void;
