/** A child process to run to its end, with everything that it starts. */
export interface ProcessRequest {
	/** Program and arguments; no shell unless the program is one. */
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	/** The whole environment: nothing is inherited. */
	readonly env: Readonly<Record<string, string>>;
	/** Text for standard input, which is then closed. */
	readonly stdin?: string;
	readonly timeoutMs: number;
	/** Value of the marker variable that every descendant inherits; unique to this call. */
	readonly mark: string;
	/**
	 * Absolute directories that are this call's own, such as its checkout. On Linux a process that works there, runs
	 * a program or writes a file there when the call ends, started after the call began, has no terminal and descends
	 * from no other call is taken for one of the call and ended with it. Default none.
	 */
	readonly places?: readonly string[];
	/** Characters kept of standard output, and as many of standard error: head and tail halves. Default 2,000,000. */
	readonly maxOutput?: number;
}

export interface ProcessResult {
	/** null when it was ended by a signal or could not start. */
	readonly exitCode: number | null;
	readonly signal: string | null;
	readonly timedOut: boolean;
	/** False when the program could not be started: missing, not executable, no such directory. */
	readonly started: boolean;
	/** Why it did not start, such as `ENOENT`. */
	readonly startError: string | null;
	/** Standard output, capped: `head`, a line that says how much is left out, `tail`. */
	readonly stdout: string;
	readonly stderr: string;
	/** Both as they came, interleaved, capped likewise: the transcript. */
	readonly output: string;
	readonly startedAt: number;
	readonly ms: number;
}
