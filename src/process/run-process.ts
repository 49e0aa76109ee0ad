import type { ProcessHost, ProcessRequest, ProcessResult } from "./process.ts";
import { openProcess, runHere } from "./run-here.ts";
import { currentStarter } from "./starter-client.ts";

/**
 * Runs a program; the rules of `runHere` hold. Where this process has a starter, that one starts and watches it, and ends it
 * when this process dies: to start a program takes longer the larger the parent is, and all else waits meanwhile.
 *
 * @param signal kills everything at once; the promise then rejects with the signal's reason
 */
export function runProcess(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> {
	return currentStarter()?.call(request, signal) ?? runHere(request, signal);
}

/** Runs processes without a sandbox, with the user's rights. */
export const bareHost: ProcessHost = { confines: false, run: runProcess, open: openProcess };
