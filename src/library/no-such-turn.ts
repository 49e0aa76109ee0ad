import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";

/** A turn that a task does not have was asked for, by `spar diff` or the like. */
export function noSuchTurn(
	command: "diff" | "logs",
	{ task, turn, turns }: { readonly task: string; readonly turn: number; readonly turns: number },
): Fault {
	return new Fault(`task ${task} has no turn ${turn}`, {
		code: "usage",
		hint: `It has ${counted(turns, "turn")}: spar ${command} ${task} --turn N`,
	});
}
