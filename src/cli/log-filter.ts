import type { Sparring } from "../app/sparring.ts";
import type { LogSource, TaskLog } from "../app/task-logs.ts";
import { Fault } from "../kernel/fault.ts";
import type { RunEvent } from "./run-event.ts";

/** Each source by the words that name it: roles of the protocol, and the terms of pairs and conflicts. */
const SOURCES: ReadonlyMap<string, LogSource> = new Map([
	["player", "player"],
	["developer", "player"],
	["coach", "coach"],
	["reviewer", "coach"],
	["verifier", "verifier"],
	["evaluator", "evaluator"],
	["tie_breaker", "tie_breaker"],
	["tie-breaker", "tie_breaker"],
	["check", "check"],
	["checks", "check"],
	["setup", "setup"],
]);

interface Wanted {
	readonly task: string;
	readonly runId: string;
	readonly role: string | undefined;
	readonly turn: number | undefined;
}

function agentsIn({ type, data }: RunEvent): readonly (string | null)[] {
	if (type === "agent-called") return [data.agent];
	const isSeated = type === "task-started" || type === "seats-switched";
	return isSeated ? [data.player, data.coach] : [];
}

/**
 * Whether a log is wanted: by seat, role, `check` or `setup`, or by the name of the agent that was called. Of an agent only
 * calls are known that have begun.
 *
 * @throws Fault `usage` for a word that names none of these
 */
export async function logFilter(
	sparring: Pick<Sparring, "trace">,
	{ task, runId, role, turn }: Wanted,
): Promise<(log: TaskLog) => boolean> {
	const isOfTurn = (log: TaskLog): boolean => turn === undefined || log.turn === turn;
	if (role === undefined) return isOfTurn;
	const source = SOURCES.get(role.toLowerCase());
	if (source !== undefined) return (log) => isOfTurn(log) && log.source === source;
	const { events } = await sparring.trace(task, runId);
	if (!events.flatMap(agentsIn).includes(role)) {
		throw new Fault(`--role ${role} is no role, and no agent of ${task}`, {
			code: "usage",
			hint: "Give player, coach, verifier, evaluator, tie-breaker, check, setup, or the name of an agent.",
		});
	}
	const calls = new Set(
		events.flatMap((event) =>
			event.type === "agent-called" && event.data.agent === role
				? [`${event.turn}/${event.data.role}/${event.data.call}`]
				: [],
		),
	);
	return (log) => isOfTurn(log) && calls.has(`${log.turn}/${log.source}/${log.name}`);
}
