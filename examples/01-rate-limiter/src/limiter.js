/**
 * Makes a limiter that lets a burst of calls through and refuses the rest.
 *
 * @param {object} options
 * @param {number} options.burst how many calls are let through
 * @returns {{ take(): boolean }} `take` tells whether this call may go ahead
 */
export function createLimiter({ burst }) {
	let tokens = burst;

	return {
		take() {
			if (tokens < 1) return false;
			tokens -= 1;
			return true;
		},
	};
}
