import { sha256 } from "../kernel/json.ts";

export const PORT_BASE = "SPAR_PORT_BASE";

const PORTS = 100;

const LOWEST = 10_000;

const QUIET_RANGES = 227;

const OTHER_RANGES = 323;

/**
 * The first of the 100 ports of a task, from 10,000 to 64,900.
 *
 * Slots below 227 have ranges of their own, below the ports that the system hands out by itself; then come 323 more,
 * and then they repeat. Where a run begins among the first ones follows from its id, so that two runs on a machine seldom
 * meet; nothing is locked.
 *
 * @param slot from 0; no two tasks at once have the same
 */
export function portBaseOf(runId: string, slot: number): number {
	const start = Number.parseInt(sha256(runId).slice(0, 8), 16);
	const range =
		slot < QUIET_RANGES
			? (start + slot) % QUIET_RANGES
			: QUIET_RANGES + ((slot - QUIET_RANGES) % OTHER_RANGES);
	return LOWEST + range * PORTS;
}
