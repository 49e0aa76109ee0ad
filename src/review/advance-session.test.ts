import { expect, test } from "vitest";
import { switchSeats } from "./pair-session.ts";

const SEATS = { player: "dev", coach: "rev" };
const SWAPPED = { player: "rev", coach: "dev" };

test.each([
	["before the named turn", { after: 0, turn: 1 }, SEATS],
	["after the named turn itself", { after: 1, turn: 2 }, SWAPPED],
	["after the turn behind it", { after: 2, turn: 3 }, SEATS],
	["when the named turn was passed over", { after: 1, turn: 3 }, SWAPPED],
])("with a checkpoint at turn 2, %s the seats are as expected", (_when, turns, expected) => {
	const plan = { roleSwitch: "checkpoint", checkpoints: [2] } as const;
	expect(switchSeats(SEATS, plan, { ...turns, completedSubtask: null })).toEqual(expected);
});
