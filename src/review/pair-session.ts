import type { Finding } from "./finding.ts";

type RoleSwitch = "session" | "subtask" | "checkpoint";

interface ReplacedPair {
	readonly until: number;
	readonly driver: string;
	readonly challenger: string;
}

/** Plan of a pair, from the workflow; fixed until a person puts another agent in a seat. */
export interface PairPlan {
	/** Agent that first sits as player. */
	readonly driver: string;
	/** Agent that first sits as coach. */
	readonly challenger: string;
	readonly roleSwitch: RoleSwitch;
	/** With `checkpoint`: turn numbers (from 1) and ids of subtasks after which the seats change. */
	readonly checkpoints: readonly (number | string)[];
	/** Bound of the loop, 1 or more; what a person adds later is not counted in. */
	readonly maxIterations: number;
	/** Earlier agents of the two seats, in the order of turns; undefined: the same two from the first on. */
	readonly replaced?: readonly ReplacedPair[] | undefined;
}

export type IterationFinding = Pick<Finding, "id" | "issue" | "severity" | "state">;

export interface PairIteration {
	/** From 1, without gaps. */
	readonly iteration: number;
	readonly turn: number;
	readonly driver: string;
	/** Masked notes of the player on one line, at most {@link MAX_SUMMARY} characters. */
	readonly summary: string;
	readonly critique: string;
	readonly findings: readonly IterationFinding[];
	readonly approved: boolean;
	readonly completedSubtask: string | null;
}

/**
 * The state of a pair on one task, as it is stored.
 *
 * `currentDriver`, `iteration` and `challengerApproved` follow from `history`; they are kept beside it because programs
 * read them, and they disagree with it only when the session is damaged (`sessionProblems`).
 */
export interface PairSession extends PairPlan {
	readonly runId: string;
	readonly taskId: string;
	/** Who sits as player in the next turn. */
	readonly currentDriver: string;
	/** Iterations that are done: the length of `history`. */
	readonly iteration: number;
	readonly history: readonly PairIteration[];
	/** Verdict of the last iteration; false before the first. */
	readonly challengerApproved: boolean;
}

export interface Seats {
	readonly player: string;
	readonly coach: string;
}

/** Longest summary and critique that a session keeps, in UTF-16 code units. */
export const MAX_SUMMARY = 1_000;

export const MAX_FINDINGS = 30;

/** A session before its first turn: the driver is to play. */
export function startSession(
	task: Pick<PairSession, "runId" | "taskId">,
	plan: PairPlan,
): PairSession {
	const { driver, challenger, roleSwitch, checkpoints, maxIterations, replaced } = plan;
	return {
		runId: task.runId,
		taskId: task.taskId,
		driver,
		challenger,
		roleSwitch,
		checkpoints,
		maxIterations,
		replaced,
		currentDriver: driver,
		iteration: 0,
		history: [],
		challengerApproved: false,
	};
}

/**
 * Who sits where in the next turn. To be asked of a session without problems only.
 *
 * @example for a new session with driver `pe` and challenger `architect`: `{ player: "pe", coach: "architect" }`
 */
export function seatsAt(
	session: Pick<PairSession, "driver" | "challenger" | "currentDriver">,
): Seats {
	const { driver, challenger, currentDriver } = session;
	return currentDriver === driver
		? { player: driver, coach: challenger }
		: { player: challenger, coach: driver };
}

export interface SessionJson {
	readonly driver_agent: string;
	readonly challenger_agent: string;
	readonly current_role_driver: string;
	readonly role_switch: RoleSwitch;
	readonly checkpoints: readonly (number | string)[];
	readonly iteration: number;
	readonly max_iterations: number;
	readonly history: readonly {
		readonly iteration: number;
		readonly driver_output_summary: string;
		readonly challenger_critique: string;
		readonly findings: readonly IterationFinding[];
		readonly challenger_approved: boolean;
		readonly turn: number;
		readonly driver_agent: string;
		readonly completed_subtask: string | null;
	}[];
	readonly challenger_approved: boolean;
}

/** The session in the form that programs read. */
export function sessionJson(session: PairSession): SessionJson {
	return {
		driver_agent: session.driver,
		challenger_agent: session.challenger,
		current_role_driver: session.currentDriver,
		role_switch: session.roleSwitch,
		checkpoints: session.checkpoints,
		iteration: session.iteration,
		max_iterations: session.maxIterations,
		history: session.history.map((entry) => ({
			iteration: entry.iteration,
			driver_output_summary: entry.summary,
			challenger_critique: entry.critique,
			findings: entry.findings,
			challenger_approved: entry.approved,
			turn: entry.turn,
			driver_agent: entry.driver,
			completed_subtask: entry.completedSubtask,
		})),
		challenger_approved: session.challengerApproved,
	};
}
