import type { Trigger } from "../human/question.ts";
import type { Reason } from "../human/reason.ts";

export const GRAPH_VERSION = 3;

// Ids, numbers, verdicts and commit ids only. Everything else is a record.
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
	readonly round: number;
	/** Commit of the coach's last round; "" before it. */
	readonly reviewed: string;
	readonly next: string;
	readonly trigger: Trigger | null;
	readonly reason: Reason | null;
	readonly resumeAt: string;
	readonly itemId: string | null;
	/** True once a person took the developer's output of the current turn. */
	readonly taken: boolean;
	readonly directive: string | null;
	/** Refused merges since a person was last asked. */
	readonly refusals: number;
	readonly critical: boolean;
}

export type Update = Partial<TaskState>;

const UNBEGUN = {
	graphVersion: GRAPH_VERSION,
	turn: 0,
	items: 0,
	start: "",
	commit: "",
	round: 0,
	reviewed: "",
	next: "go",
	trigger: null,
	reason: null,
	resumeAt: "player_turn",
	itemId: null,
	taken: false,
	directive: null,
	refusals: 0,
	critical: false,
} as const;

/** The state of a task that has not begun, or that is reopened after `turn` turns on `commit`. */
export function initialState(
	of: Pick<TaskState, "runId" | "taskId" | "bound"> &
		Partial<Pick<TaskState, "turn" | "items" | "directive">>,
): TaskState {
	return { ...UNBEGUN, ...of };
}

/** The thread of a task in the checkpointer; a reopened task gets a new one. */
export function threadOf(runId: string, taskId: string, epoch: number): string {
	return `${runId}/${taskId}/${epoch}`;
}

// Refused merges are named, since nobody else asked for the turns that they granted.
export function limitReason({
	bound,
	refusals,
}: Pick<TaskState, "bound" | "refusals">): Extract<Reason, { readonly kind: "max_turns" }> {
	const reached = { kind: "max_turns", bound } as const;
	return refusals === 0 ? reached : { ...reached, granted: "refused_merge" };
}
