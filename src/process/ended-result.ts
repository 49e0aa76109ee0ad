import type { ProcessResult } from "./process.ts";

type Silence = Pick<ProcessResult, "signal" | "started" | "startError">;

const silent = (how: Silence, startedAt: number): ProcessResult => ({
	...how,
	exitCode: null,
	timedOut: false,
	stdout: "",
	stderr: "",
	output: "",
	startedAt,
	ms: Date.now() - startedAt,
});

export const notStarted = (code: string, startedAt: number): ProcessResult =>
	silent({ signal: null, started: false, startError: code }, startedAt);

/** The result of a program that was killed, and of whose output nothing is known. */
export const killed = (startedAt: number): ProcessResult =>
	silent({ signal: "SIGKILL", started: true, startError: null }, startedAt);
