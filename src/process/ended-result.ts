import type { ProcessResult } from "./process.ts";

const NOTHING_SAID = { stdout: "", stderr: "", output: "" } as const;

/** The result of a program that could not be started. */
export function notStarted(code: string, startedAt: number): ProcessResult {
	return {
		...NOTHING_SAID,
		exitCode: null,
		signal: null,
		timedOut: false,
		started: false,
		startError: code,
		startedAt,
		ms: Date.now() - startedAt,
	};
}

/** The result of a program that was killed, and of whose output nothing is known. */
export function killed(startedAt: number): ProcessResult {
	return {
		...NOTHING_SAID,
		exitCode: null,
		signal: "SIGKILL",
		timedOut: false,
		started: true,
		startError: null,
		startedAt,
		ms: Date.now() - startedAt,
	};
}
