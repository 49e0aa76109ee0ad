import type { Readable, Writable } from "node:stream";

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
	/** Told of standard output as it comes, in pieces of any length. It must not throw. */
	readonly onStdout?: (text: string) => void;
	/**
	 * Absolute paths of existing files and directories that the process may write when its host confines it; nothing
	 * else is writable then. Default: `cwd` only. A host that does not confine ignores it.
	 */
	readonly writable?: readonly string[];
	/**
	 * Absolute paths in stores of credentials that a confining host hides, but that this process needs to read, such as
	 * its own sign-in. Default none.
	 */
	readonly readable?: readonly string[];
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

/** A process that runs, with its standard input open: for agents that are spoken to while they work. */
export interface OpenProcess {
	/** To be ended by the caller; writing to a process that is gone is no error. */
	readonly stdin: Writable;
	readonly stdout: Readable;
	/** Ends the process with everything that it started, as at a timeout. May be called twice. */
	end(): void;
	/** What came of it, once everything has ended; rejects with the signal's reason when it was aborted. */
	readonly ended: Promise<ProcessResult>;
}

/**
 * How processes are started: bare, or inside a sandbox. Both calls keep the rules of `runProcess`: when they settle,
 * nothing of the call is left running, and they reject only with the reason of the signal.
 */
export interface ProcessHost {
	/** True when a process can write only to its `writable` paths. */
	readonly confines: boolean;
	readonly run: (request: ProcessRequest, signal: AbortSignal) => Promise<ProcessResult>;
	/** The value is a `ProcessResult` with `started: false` when the process could not be started. */
	readonly open: (
		request: ProcessRequest,
		signal: AbortSignal,
	) => Promise<OpenProcess | ProcessResult>;
}
