import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { Fault, type FaultCode } from "../../kernel/fault.ts";
import { runDirectory } from "../places.ts";
import type { Drive } from "./drive.ts";

/**
 * What stopped a task, with the way back to the run: git does not know of one.
 *
 * A command that failed because somebody removed the run's directory says so, and not what git made of that.
 *
 * @throws Fault `checkout-lost` when the repository has lost its id since the run was taken
 */
export function taskFault(error: unknown, { run, places }: Pick<Drive, "run" | "places">): unknown {
	if (!(error instanceof Fault) || error.code !== "git-failed") return error;
	const again = `spar resume ${run.runId}`;
	const directory = runDirectory(places, run.runId);
	if (!existsSync(join(directory, "vault.git"))) {
		return new Fault(`the directory ${directory} was removed while the run worked there`, {
			code: "checkout-lost",
			hint: `Continue with \`${again}\`: what is missing is made again, and calls under way are repeated.`,
			cause: error,
		});
	}
	const { message, code, hint = "", retryable } = error;
	if (/resume/.test(hint)) return error;
	const text = `${hint} Then continue with \`${again}\`.`.trim();
	return new Fault(message, { code, hint: text, retryable, cause: error });
}

/** How often a task is taken up where a fault that passes by itself stopped it. */
const MOST_TRIES = 3;
const PAUSE_MS = 200;

/** What may pass by itself, in this repository or on a remote. */
const PASSING: ReadonlySet<FaultCode> = new Set([
	"git-failed",
	"remote-unreachable",
	"push-refused",
]);

/**
 * Works on a task, and goes on where git failed in a way that passes by itself, as a resume would: beside a `git gc` in
 * the user's repository, another git process that holds a lock, or a remote that did not answer once.
 *
 * @param work goes on from what is stored
 */
export async function workThrough(
	work: () => Promise<void>,
	{
		clock,
		signal,
		onRetry,
	}: {
		readonly clock: Pick<Clock, "sleep">;
		readonly signal: AbortSignal;
		/** Called before the work goes on. */
		readonly onRetry: (fault: Fault) => Promise<void>;
	},
): Promise<void> {
	for (let tries = 1; ; tries += 1) {
		try {
			return await work();
		} catch (error) {
			const passes = error instanceof Fault && PASSING.has(error.code) && error.retryable;
			if (!passes || tries === MOST_TRIES || signal.aborted) throw error;
			await clock.sleep(PAUSE_MS, signal);
			await onRetry(error);
		}
	}
}
