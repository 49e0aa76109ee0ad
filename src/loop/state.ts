import type { Trigger } from "../human/human-item.ts";

/** Grows with every change of node names, channels or their meaning: a stored format. */
export const GRAPH_VERSION = 1;

/** The names of the nodes, in the order of a turn. A stored format: never rename one without a migration. */
export const NODES = [
	"initialize",
	"player_turn",
	"validate_structure",
	"verify",
	"coach_turn",
	"resolve_conflict",
	"score_confidence",
	"policy_gate",
	"process_feedback",
	"sign_off",
	"merge",
	"finalize_success",
	"finalize_failure",
	"finalize_escalation",
	"await_human",
] as const;

export type NodeName = (typeof NODES)[number];

/** Nodes that a person's answer can send the task back to. */
export type ResumeNode =
	| "initialize"
	| "player_turn"
	| "validate_structure"
	| "coach_turn"
	| "resolve_conflict"
	| "score_confidence"
	| "policy_gate"
	| "merge";

/** Where the last node says to go; which values a node may give stands at its edge in `graph.ts`. */
export type Next =
	| "go"
	| "halt"
	| "approve"
	| "feedback"
	| "escalate"
	| "max_turns"
	| "merged"
	| "reject"
	| ResumeNode;

/**
 * State of the graph: ids, numbers, verdicts and commit ids only. Everything else is a record.
 */
export interface TaskState {
	readonly graphVersion: number;
	readonly runId: string;
	readonly taskId: string;
	/** Turns begun, which is the number of the current one; 0 before the first. */
	readonly turn: number;
	/** The last turn that is allowed; a person's answer can add one. */
	readonly bound: number;
	/** Human items opened so far; with node and turn it names a piece of work exactly once. */
	readonly items: number;
	/** Commit that diff, integrity and baseline are compared with; "" before `initialize`. */
	readonly start: string;
	/** The last snapshot; equals `start` before the first turn. */
	readonly commit: string;
	/** Rounds of the coach so far. */
	readonly round: number;
	/** Commit of the coach's last round; "" before it. */
	readonly reviewed: string;
	readonly next: Next;
	/** Why a person is needed, when `next` is halt, escalate or max_turns. */
	readonly trigger: Trigger | null;
	readonly reason: string;
	/** Where the task goes on when the person says yes. */
	readonly resumeAt: ResumeNode;
	readonly itemId: string | null;
	/** True once a person took the developer's output of the current turn. */
	readonly taken: boolean;
	/** Item whose directive binds from now on. */
	readonly directive: string | null;
	/** True when the coach raised, reopened or approved over a critical finding in the current turn. */
	readonly critical: boolean;
}

/** What a node changes. */
export type Update = Partial<TaskState>;

/** The state of a task that has not begun, or that is reopened after `turn` turns on `commit`. */
export function initialState(options: {
	readonly runId: string;
	readonly taskId: string;
	readonly bound: number;
	readonly turn?: number;
	readonly items?: number;
	readonly directive?: string | null;
}): TaskState {
	return {
		graphVersion: GRAPH_VERSION,
		runId: options.runId,
		taskId: options.taskId,
		turn: options.turn ?? 0,
		bound: options.bound,
		items: options.items ?? 0,
		start: "",
		commit: "",
		round: 0,
		reviewed: "",
		next: "go",
		trigger: null,
		reason: "",
		resumeAt: "player_turn",
		itemId: null,
		taken: false,
		directive: options.directive ?? null,
		critical: false,
	};
}
