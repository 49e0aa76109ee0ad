import type { AgentFailure } from "../kernel/roles.ts";

const RETRIED: ReadonlySet<AgentFailure> = new Set([
	"network",
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
