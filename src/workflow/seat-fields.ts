import { Field } from "./field.ts";

const NOBODY = new Field([], []);

/** Who sits where in a task, by the fields that say so; absent where nobody does. */
export interface SeatFields {
	readonly player: Field;
	readonly coach: Field;
}

/**
 * The seats of a task over `defaults`. A formal review has a coach only; a pair's driver may be named by `agent`.
 */
export function seatFields(task: Field): SeatFields {
	const agent = task.at("agent");
	if (task.at("formal_review").value === true) return { player: NOBODY, coach: agent };
	const pair = task.at("overlays").at("paired_workflow");
	if (pair.at("enabled").value !== true) return { player: agent, coach: NOBODY };
	const driver = pair.at("driver_agent");
	return { player: driver.present ? driver : agent, coach: pair.at("challenger_agent") };
}
