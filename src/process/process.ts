import type { Readable, Writable } from "node:stream";

/** A child process to run. */
export interface ProcessRequest {
	/** Program and arguments; no shell unless the program is one. */
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	/** The whole environment: nothing is inherited. */
	readonly env: Readonly<Record<string, string>>;
	/** Text for standard input. Default: none. */
	readonly stdin?: string;
	readonly timeoutMs: number;
	/** Value of the variable that marks all descendants. Unique to this call. */
	readonly mark: string;
	/**
	 * Absolute directories of this call alone, such as its checkout. When the call ends on Linux, a process without a mark
	 * that works there, runs a program there or prints into a file there is ended too, if it started after the call, has
	 * no terminal and does not descend from another call. Default none.
	 */
	readonly places?: readonly string[];
	/** True: a sandbox that closes the user's repository shows nothing of it, its objects neither. Default: these it does. */
	readonly apart?: boolean;
	/** Maximum characters of standard output, and of standard error: half head, half tail. Default 2,000,000. */
	readonly maxOutput?: number;
	/** Receives standard output as it comes, in pieces of any length. Must not throw. */
	readonly onStdout?: ((text: string) => void) | undefined;
	/** Receives the transcript as it comes, in whole lines of both streams. Must not throw. */
	readonly onOutput?: ((text: string) => void) | undefined;
	/**
	 * Absolute paths of existing files and directories that the process can write in a sandbox; nothing else is writable
	 * there. Default: only `cwd`. Ignored without a sandbox.
	 */
	readonly writable?: readonly string[];
	/**
	 * Absolute paths of credentials that a sandbox hides but this process needs, such as its own sign-in. Default none.
	 */
	readonly readable?: readonly string[];
	/**
	 * Texts by the user, such as an agent's command line: a sandbox that closes the user's repository leaves the files
	 * visible that they name by absolute path. Never a text by an agent. Default none.
	 */
	readonly named?: readonly string[];
}

export interface ProcessResult {
	/** Null when a signal ended it or it could not start. */
	readonly exitCode: number | null;
	readonly signal: string | null;
	readonly timedOut: boolean;
	/** False when the program could not be started: missing, not executable, no such directory. */
	readonly started: boolean;
	/** Code of the reason, such as `ENOENT`. */
	readonly startError: string | null;
	/** Standard output, truncated in the middle, with a line that says how much was left out. */
	readonly stdout: string;
	readonly stderr: string;
	/** The transcript: both, interleaved by line, truncated likewise. */
	readonly output: string;
	readonly startedAt: number;
	readonly ms: number;
}

/** A running process with open standard input, for agents that receive messages while they work. */
export interface OpenProcess {
	/** The caller ends it. Writing to a process that has ended is not an error. */
	readonly stdin: Writable;
	readonly stdout: Readable;
	/** Ends the process and everything that it started, as at a timeout. Can be called twice. */
	end(): void;
	/** The result, when everything has ended. Rejects with the signal's reason when it was aborted. */
	readonly ended: Promise<ProcessResult>;
}

/**
 * Starts processes, with or without a sandbox. Both methods follow the rules of `runProcess`: when they settle, nothing
 * of the call is left running, and they reject only with the signal's reason.
 */
export interface ProcessHost {
	/** True when processes can write only to their `writable` paths. */
	readonly confines: boolean;
	readonly run: (request: ProcessRequest, signal: AbortSignal) => Promise<ProcessResult>;
	/** Resolves to a `ProcessResult` with `started: false` when the process cannot be started. */
	readonly open: (
		request: ProcessRequest,
		signal: AbortSignal,
	) => Promise<OpenProcess | ProcessResult>;
}
