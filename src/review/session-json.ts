import type { PairIteration, PairSession, RoleSwitch } from "./pair-session.ts";

/** A session as other programs read it: in the file, in a question for a person, in the context of an agent. */
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
			challenger_approved: entry.approved,
			turn: entry.turn,
			driver_agent: entry.driver,
			completed_subtask: entry.completedSubtask,
		})),
		challenger_approved: session.challengerApproved,
	};
}

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
const isSwitch = (value: unknown): value is RoleSwitch =>
	value === "session" || value === "subtask" || value === "checkpoint";
const isPoint = (value: unknown): value is number | string => isCount(value) || isText(value);

function readIteration(value: unknown): PairIteration | null {
	if (!isObject(value)) return null;
	const { iteration, turn, driver_agent: driver, challenger_approved: approved } = value;
	const { driver_output_summary: summary, challenger_critique: critique } = value;
	const completedSubtask = value["completed_subtask"];
	const numbered = isCount(iteration) && isCount(turn) && isFlag(approved);
	const spoken = isText(driver) && isText(summary) && isText(critique);
	if (!(numbered && spoken)) return null;
	if (!(completedSubtask === null || isText(completedSubtask))) return null;
	return { iteration, turn, driver, summary, critique, approved, completedSubtask };
}

function readHistory(value: unknown): readonly PairIteration[] | null {
	if (!Array.isArray(value)) return null;
	const entries = value.map((entry: unknown) => readIteration(entry));
	const read = entries.filter((entry) => entry !== null);
	return read.length === entries.length ? read : null;
}

/**
 * Reads a session from JSON that anybody may have written. Its shape is checked, not what it says.
 *
 * @returns null when a field is missing or of another type
 */
export function readSessionJson(
	value: unknown,
	{ runId, taskId }: Pick<PairSession, "runId" | "taskId">,
): PairSession | null {
	if (!isObject(value)) return null;
	const { driver_agent: driver, challenger_agent: challenger, iteration } = value;
	const { current_role_driver: currentDriver, role_switch: roleSwitch, checkpoints } = value;
	const { max_iterations: maxIterations, challenger_approved: challengerApproved } = value;
	const history = readHistory(value["history"]);
	const named = isText(driver) && isText(challenger) && isText(currentDriver);
	const counted = isCount(iteration) && isCount(maxIterations) && isFlag(challengerApproved);
	if (!(named && counted && isSwitch(roleSwitch) && history !== null)) return null;
	if (!(Array.isArray(checkpoints) && checkpoints.every(isPoint))) return null;
	return {
		...{ runId, taskId, driver, challenger, currentDriver, roleSwitch, checkpoints },
		...{ iteration, maxIterations, history, challengerApproved },
	};
}
