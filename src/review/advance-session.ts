import { excerpt } from "./excerpt.ts";
import {
	type IterationFinding,
	MAX_FINDINGS,
	MAX_SUMMARY,
	type PairIteration,
	type PairPlan,
	type PairSession,
	type Seats,
	seatsAt,
	startSession,
} from "./pair-session.ts";

export interface IterationResult {
	readonly turn: number;
	readonly summary: string;
	readonly critique: string;
	readonly findings: readonly IterationFinding[];
	readonly approved: boolean;
	readonly completedSubtask: string | null;
}

function append(session: PairSession, result: IterationResult): PairSession {
	const seats = seatsAt(session);
	const { turn, approved, completedSubtask } = result;
	const entry: PairIteration = {
		iteration: session.history.length + 1,
		turn,
		driver: driverAt(session, turn, seats.player),
		summary: excerpt(result.summary, MAX_SUMMARY),
		critique: excerpt(result.critique, MAX_SUMMARY),
		findings: result.findings.slice(0, MAX_FINDINGS).map(({ id, issue, severity, state }) => {
			return { id, issue: excerpt(issue, MAX_SUMMARY), severity, state };
		}),
		approved,
		completedSubtask,
	};
	const after = session.history.at(-1)?.turn ?? 0;
	return {
		...session,
		currentDriver: switchSeats(seats, session, { after, turn, completedSubtask }).player,
		iteration: entry.iteration,
		history: [...session.history, entry],
		challengerApproved: approved,
	};
}

function driverAt({ replaced = [], driver }: PairPlan, turn: number, player: string): string {
	const earlier = replaced.find(({ until }) => turn <= until);
	if (earlier === undefined) return player;
	return player === driver ? earlier.driver : earlier.challenger;
}

/**
 * The session rebuilt from its history and the workflow's plan, which determine seats, iteration numbers and the last
 * verdict. Entries whose turn is not later than that of the previous entry are left out.
 *
 * A person who resolves a corrupt session agrees to this one. A sound session stays the same.
 */
export function rebuildSession(session: PairSession, plan: PairPlan): PairSession {
	const sound: PairIteration[] = [];
	for (const entry of session.history) {
		if (entry.turn > (sound.at(-1)?.turn ?? 0)) sound.push(entry);
	}
	return sound.reduce(append, startSession(session, plan));
}

/**
 * The session after an iteration. The last turn given again replaces its iteration, since a coach may be asked twice
 * within a turn and a verdict may be computed again.
 *
 * @param session one without problems (`sessionProblems`)
 * @throws Error for a turn before the last one: a bug of the caller
 * @example a new session after turn 1 without approval: `iteration` 1, one entry in `history`
 */
export function advanceSession(session: PairSession, result: IterationResult): PairSession {
	const last = session.history.at(-1)?.turn ?? 0;
	if (!Number.isSafeInteger(result.turn) || result.turn < Math.max(last, 1)) {
		throw new Error(
			`turn ${result.turn} of task ${session.taskId} cannot follow turn ${last} of its pair session`,
		);
	}
	if (result.turn > last) return append(session, result);
	const before = { ...session, history: session.history.slice(0, -1) };
	return append(rebuildSession(before, session), result);
}

interface SwitchPoint {
	readonly after: number;
	readonly turn: number;
	readonly completedSubtask: string | null;
}

function isCheckpoint(
	checkpoints: readonly (number | string)[],
	{ after, turn, completedSubtask }: SwitchPoint,
): boolean {
	return checkpoints.some((checkpoint) =>
		typeof checkpoint === "number"
			? checkpoint > after && checkpoint <= turn
			: checkpoint === completedSubtask,
	);
}

function isSwitch(plan: Pick<PairPlan, "roleSwitch" | "checkpoints">, point: SwitchPoint): boolean {
	switch (plan.roleSwitch) {
		case "session":
			return false;
		case "subtask":
			return point.completedSubtask !== null;
		case "checkpoint":
			return isCheckpoint(plan.checkpoints, point);
	}
}

/**
 * The seats after an iteration. `session` never swaps them, `subtask` swaps after each completed subtask, `checkpoint`
 * after each named turn and each named subtask that is completed.
 *
 * One iteration swaps at most once, also when it reaches a turn and a subtask that are both named. A named turn that
 * the coach never judged counts with the next one that it did.
 *
 * @example with `checkpoint` and `[2]`, the seats change after turn 2, so that the challenger plays turn 3
 */
export function switchSeats(
	seats: Seats,
	plan: Pick<PairPlan, "roleSwitch" | "checkpoints">,
	point: SwitchPoint,
): Seats {
	return isSwitch(plan, point) ? { player: seats.coach, coach: seats.player } : seats;
}
