import { setTimeout as delay } from "node:timers/promises";

/** Time as a port: the one source of "now" and of waiting, so that tests script it. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms`; rejects with the signal's reason when aborted before. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: async (ms, signal) => {
		await delay(ms, undefined, signal === undefined ? {} : { signal });
	},
};

/**
 * Milliseconds of a clock that nobody sets, from a start of its own. Node.js loads `performance` when it is first used, which
 * takes longer than to open a database.
 */
export function monotonicNow(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}

/** `1700000000000` gives `"2023-11-14T22:13:20.000Z"`. */
export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
