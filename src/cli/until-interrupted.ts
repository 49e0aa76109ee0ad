import type { Shell } from "./shell.ts";

/**
 * Does work that only looks, until it is done or the person presses Ctrl-C, which aborts the signal. Work that rejects with
 * the signal's reason was interrupted.
 */
export async function untilInterrupted(
	shell: Shell,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<"done" | "interrupted"> {
	const controller = new AbortController();
	const stopListening = shell.onInterrupt(() => controller.abort());
	try {
		await work(controller.signal);
	} catch (error) {
		if (!controller.signal.aborted || error !== controller.signal.reason) throw error;
	} finally {
		stopListening();
	}
	return controller.signal.aborted ? "interrupted" : "done";
}
