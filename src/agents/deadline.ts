import { MAX_TIMER_MS } from "../process/run-process.ts";

/** A signal that ends with the caller's or after the call's time. It must be cleared when the call has ended. */
export function deadline(
	timeoutMs: number,
	signal: AbortSignal,
): { readonly signal: AbortSignal; readonly timedOut: () => boolean; readonly clear: () => void } {
	const controller = new AbortController();
	const timer = setTimeout(
		() => controller.abort(new Error("timeout")),
		Math.min(timeoutMs, MAX_TIMER_MS),
	);
	return {
		signal: AbortSignal.any([signal, controller.signal]),
		timedOut: () => controller.signal.aborted,
		clear: () => clearTimeout(timer),
	};
}
