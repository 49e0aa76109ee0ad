import type { AgentFailure } from "../kernel/roles.ts";

const RETRIED: ReadonlySet<AgentFailure> = new Set([
	"network",
	"unavailable",
	"rate_limit",
	"timeout",
	"tool_error",
]);

const DELAYS_MS = [2_000, 4_000, 8_000] as const;

// A person is better asked than kept waiting for hours.
const LONGEST_MS = 600_000;

/**
 * Milliseconds before a failed call is made again, null to give up: 2 s, 4 s, 8 s, or a longer Retry-After up to 10
 * minutes.
 *
 * @param failedCalls calls of this turn and role that failed in a row, from 1
 * @param retryAfterMs what the provider asked for
 * @example `retryAfter("network", 2)` is 4000, `retryAfter("unknown", 1)` is null
 */
export function retryAfter(
	failure: AgentFailure,
	failedCalls: number,
	retryAfterMs = 0,
): number | null {
	const delay = DELAYS_MS[failedCalls - 1];
	if (delay === undefined || !RETRIED.has(failure)) return null;
	const asked = Number.isNaN(retryAfterMs) ? 0 : Math.min(retryAfterMs, LONGEST_MS);
	return Math.max(delay, asked);
}

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
