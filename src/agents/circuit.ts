import type { AgentFailure } from "../kernel/roles.ts";

/** Memory of an agent's latest calls. */
export interface Circuit {
	/** Failed calls in a row; of calls at once that fail together one. */
	readonly failures: number;
	/** Time of the last of them: milliseconds since the epoch; 0: none failed. */
	readonly failedAt: number;
	/** Until when the agent counts as out of order: milliseconds since the epoch; 0: it does not. */
	readonly openUntil: number;
}

/** An agent of which nothing bad is known. */
export const CLOSED: Circuit = { failures: 0, failedAt: 0, openUntil: 0 };

/** Milliseconds, times since the epoch. */
export interface CallTimes {
	readonly startedAt: number;
	readonly endedAt: number;
	readonly retryAfterMs?: number | undefined;
}

const FAILURES_TO_OPEN = 4;

const COOL_DOWN_MS = 60_000;

// Of a spent quota when nobody said how long.
const QUOTA_MS = 600_000;

const OF_THE_TASK: ReadonlySet<string> = new Set<AgentFailure>(["context_limit", "content_policy"]);

/**
 * Tells whether an outcome, `answered` or a failure, speaks of the task and not of the agent, so that another agent
 * would meet it as well.
 */
export function speaksOfTask(outcome: string): boolean {
	return OF_THE_TASK.has(outcome);
}

/**
 * The circuit breaker of one agent, after a call: four failed calls in a row open it for 60 s, a spent quota opens it
 * at once for as long as the provider says (else 10 minutes), and an answer closes it.
 *
 * Calls overlap when several tasks run. One that began before the last failure was seen says nothing of the time since:
 * if it failed, it met the same trouble and is not counted again, and its answer does not close an open circuit.
 */
export function afterCall(
	circuit: Circuit,
	outcome: AgentFailure | "answered",
	{ startedAt, endedAt, retryAfterMs }: CallTimes,
): Circuit {
	if (speaksOfTask(outcome)) return circuit;
	const isOld = startedAt < circuit.failedAt;
	if (outcome === "answered") return isOld && isOpen(circuit, endedAt) ? circuit : CLOSED;
	const failures = isOld ? circuit.failures : circuit.failures + 1;
	if (outcome === "quota_exhausted") {
		const until = endedAt + (retryAfterMs ?? QUOTA_MS);
		const openUntil = isOld ? Math.max(circuit.openUntil, until) : until;
		return { failures, failedAt: endedAt, openUntil };
	}
	if (isOld) return circuit;
	const opens = failures >= FAILURES_TO_OPEN;
	const openUntil = opens ? endedAt + COOL_DOWN_MS : circuit.openUntil;
	return { failures, failedAt: endedAt, openUntil };
}

export function isOpen(circuit: Circuit, now: number): boolean {
	return now < circuit.openUntil;
}
