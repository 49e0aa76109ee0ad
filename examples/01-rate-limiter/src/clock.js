/**
 * Where a limiter gets the time from: milliseconds that never run backwards.
 *
 * @typedef {{ now(): number }} Clock
 */

/** @type {Clock} */
export const systemClock = { now: () => performance.now() };

/**
 * A clock that stands still until it is told to move, so that a test needs no waiting.
 *
 * @param {number} [startMs] the first value of `now()`
 */
export function createManualClock(startMs = 0) {
	let current = startMs;
	return {
		now: () => current,
		/** @param {number} ms 0 or more */
		advance(ms) {
			if (!(ms >= 0)) throw new RangeError(`advance needs 0 or more milliseconds, got ${ms}`);
			current += ms;
		},
	};
}
