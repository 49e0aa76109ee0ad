import { isAbort } from "../../kernel/is-abort.ts";
import { EXIT } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

// null: interrupted. The first signal aborts, a second exits at once with 130. Work that resolves although it was aborted had just
// finished. With `drain` the first SIGTERM, by which a service is stopped, lets the work come to its end.
export async function interruptible<T>(
	shell: Shell,
	work: (signal: AbortSignal) => Promise<T>,
	tell: (text: string) => void = () => undefined,
	drain?: AbortController,
): Promise<T | null> {
	const controller = new AbortController();
	const stopListening = shell.onInterrupt((signal) => {
		if (signal === "SIGTERM" && drain !== undefined && !drain.signal.aborted) {
			drain.abort();
			return;
		}
		if (controller.signal.aborted) {
			shell.exitNow(EXIT.interrupted);
			return;
		}
		tell("stopping; press Ctrl-C again to exit at once");
		controller.abort(new DOMException("interrupted by a signal", "AbortError"));
	});
	try {
		return await work(controller.signal);
	} catch (error) {
		if (controller.signal.aborted && isAbort(error, controller.signal.reason)) return null;
		throw error;
	} finally {
		stopListening();
	}
}
