/** Longer delays are taken for none by timers. In ms. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Ends when the caller's signal does or after the call's time. */
export interface Deadline {
	readonly signal: AbortSignal;
	readonly timedOut: () => boolean;
	readonly clear: () => void;
}

/** @param timeoutMs time of the call; the timer must be cleared when it has ended */
export function deadline(timeoutMs: number, signal: AbortSignal): Deadline {
	const controller = new AbortController();
	const timer = setTimeout(
		() => controller.abort(new Error("timeout")),
		Math.min(timeoutMs, LONGEST_TIMER_MS),
	);
	return {
		signal: AbortSignal.any([signal, controller.signal]),
		timedOut: () => controller.signal.aborted,
		clear: () => clearTimeout(timer),
	};
}
