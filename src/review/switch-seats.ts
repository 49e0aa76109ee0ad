import type { PairPlan, Seats } from "./pair-session.ts";

/** What an iteration reached. */
export interface SwitchPoint {
	/** Turn of the iteration before; 0 before the first. */
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
