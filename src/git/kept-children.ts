import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { BoundedChild, BoundedEnd } from "../process/bounded-child.ts";
import { GRACE_MS, groupEnd } from "../process/end-group.ts";

export type KeptChild = Omit<BoundedChild, "stdin" | "maxStdout" | "ignoresStdout">;

// `atLeast` bytes are needed before it is worth another look; it counts from behind the first `used`, which are not
// given again.
export type AnswerReading<T> =
	| { readonly answer: T }
	| { readonly atLeast: number; readonly used: number };

export interface KeptRequest<T> {
	// Not empty: a program that is told nothing answers nothing.
	readonly input: string | Buffer;
	read(bytes: Buffer): AnswerReading<T>;
	readonly maxBytes?: number | undefined;
	/** True: it changes nothing, so that another process may be asked where one ended without a word. */
	readonly repeatable?: boolean;
}

export type KeptAnswer<T> =
	| { readonly answer: T }
	| { readonly end: BoundedEnd; readonly bytesHeard: number };

interface KeptProcess {
	/**
	 * One at a time.
	 *
	 * @throws the signal's reason, after the program has ended; system errors; what `read` throws
	 */
	ask<T>(request: KeptRequest<T>): Promise<KeptAnswer<T>>;
	readonly isOver: () => boolean;
	/** Closes its standard input, at which it ends; one that does not is ended by signals. */
	end(): Promise<void>;
}

/** Longest time for an answer once nobody has time any more, in ms: moving a ref is not cut off at once. */
const SOON_MS = 5_000;

// It keeps this process alive only while an answer is awaited, and ends with it, since its standard input ends then.
function startKept(
	{ program, args, cwd, env, ...limits }: KeptChild,
	hurried: AbortSignal,
): KeptProcess {
	const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
	return child.pid === undefined ? neverStarted(child) : running(child, limits, hurried);
}

function neverStarted(child: ChildProcessWithoutNullStreams): KeptProcess {
	const failure = once(child, "error").then(([error]) => {
		throw error;
	});
	failure.catch(() => undefined);
	return {
		ask: () => failure,
		isOver: () => true,
		end: () => Promise.resolve(),
	};
}

function running(
	child: ChildProcessWithoutNullStreams,
	limits: Pick<KeptChild, "signal" | "timeoutMs" | "graceMs">,
	hurried: AbortSignal,
): KeptProcess {
	const { stdin, stdout, stderr } = child;
	const group = groupEnd(child.pid, limits.graceMs);
	const over = Promise.withResolvers<void>();
	let isOver = false;
	let waiting: { take(bytes: Buffer): void; ended(exitCode: number): void } | null = null;
	let words: Buffer[] = [];
	const stop = (): void => {
		isOver = true;
		group.begin();
	};
	const handles = [child, stdin, stdout, stderr] as Socket[];
	const hold = (): void => {
		for (const handle of handles) handle.ref();
	};
	const rest = (): void => {
		for (const handle of handles) handle.unref();
	};
	/** Only who is in the middle of an answer may have something to finish. */
	const abort = (): void => {
		if (waiting === null) stop();
		else group.beginSoon();
		isOver = true;
	};
	limits.signal?.addEventListener("abort", abort);
	// A program that ends before it reads a request closes the pipe; its exit code says why.
	stdin.on("error", () => undefined);
	child.on("error", () => undefined);
	stderr.on("data", (chunk: Buffer) => words.push(chunk));
	stdout.on("data", (chunk: Buffer) => waiting?.take(chunk));
	// Nothing more can come.
	stdout.on("end", stop);
	child.on("close", (code) => {
		isOver = true;
		group.over();
		limits.signal?.removeEventListener("abort", abort);
		waiting?.ended(code ?? -1);
		over.resolve();
	});
	rest();
	return {
		isOver: () => isOver,
		end: async () => {
			hold();
			stdin.end();
			const patience = setTimeout(stop, limits.graceMs ?? GRACE_MS);
			await over.promise;
			clearTimeout(patience);
		},
		ask: async <T>(request: KeptRequest<T>) => {
			const told = Promise.withResolvers<KeptAnswer<T>>();
			const coming = gather(request);
			let timedOut = false;
			const timer = setTimeout(() => {
				timedOut = true;
				stop();
			}, limits.timeoutMs);
			words = [];
			waiting = {
				take: (chunk) => {
					try {
						const reading = coming.take(chunk);
						if (coming.isTooLong()) stop();
						else if ("answer" in reading) told.resolve(reading);
					} catch (error) {
						stop();
						told.reject(error);
					}
				},
				ended: (exitCode) => {
					const stderr = Buffer.concat(words).toString("utf8").trim();
					const truncated = coming.isTooLong();
					const end = { exitCode, stdout: coming.left(), stderr, truncated, timedOut };
					if (limits.signal?.aborted === true) told.reject(limits.signal.reason);
					else told.resolve({ end, bytesHeard: coming.bytesHeard() });
				},
			};
			hold();
			let soon: NodeJS.Timeout | undefined;
			const expectSoon = (): void => {
				soon = setTimeout(stop, SOON_MS).unref();
			};
			if (hurried.aborted) expectSoon();
			else hurried.addEventListener("abort", expectSoon, { once: true });
			stdin.write(request.input);
			try {
				return await told.promise;
			} finally {
				clearTimeout(timer);
				clearTimeout(soon);
				hurried.removeEventListener("abort", expectSoon);
				waiting = null;
				rest();
			}
		},
	};
}

// Bytes are joined again only as far as nobody has read them.
function gather<T>(request: KeptRequest<T>) {
	const { maxBytes = Number.POSITIVE_INFINITY } = request;
	let pieces: Buffer[] = [];
	let [size, all, wanted] = [0, 0, 1];
	return {
		take: (chunk: Buffer): AnswerReading<T> => {
			pieces.push(chunk);
			size += chunk.length;
			all += chunk.length;
			if (size < wanted || all > maxBytes) return { used: 0, atLeast: wanted };
			const bytes = Buffer.concat(pieces);
			const reading = request.read(bytes);
			if ("answer" in reading) return reading;
			pieces = [bytes.subarray(reading.used)];
			size = bytes.length - reading.used;
			wanted = reading.atLeast;
			return reading;
		},
		isTooLong: () => all > maxBytes,
		bytesHeard: () => all,
		/** Changes that nobody has read. */
		left: () => Buffer.concat(pieces),
	};
}

/** Programs that stay, so that a question costs a line on a pipe and not a process. */
export interface KeptChildren {
	/**
	 * Asks the program of exactly this kind, which is started where there is none. Requests to the same program wait for each
	 * other.
	 *
	 * @throws what `KeptProcess.ask` throws
	 */
	ask<T>(child: KeptChild, request: KeptRequest<T>): Promise<KeptAnswer<T>>;
	/** From now on, programs that do not answer soon are ended. For those that no signal ends, when the run is to stop. */
	hurry(): void;
	/** Ends the programs once they have answered. A later request starts one for itself alone. */
	end(): Promise<void>;
}

// A value that a program remembers, such as the time of a reflog's entry, is never older.
const MAX_AGE_MS = 60_000;

/** Starts nothing until it is asked. */
export function keepChildren(maxAgeMs: number = MAX_AGE_MS): KeptChildren {
	const lines = new Map<string, ChildQueue>();
	const hurried = new AbortController();
	let isEnded = false;
	return {
		ask: async (child, request) => {
			const key = JSON.stringify([child.program, child.args, child.cwd, child.env]);
			const line = lines.get(key) ?? openLine(maxAgeMs, hurried.signal);
			lines.set(key, line);
			const told = await line.ask(child, request);
			if (isEnded) await line.end();
			return told;
		},
		hurry: () => hurried.abort(),
		end: async () => {
			isEnded = true;
			await Promise.all([...lines.values()].map((line) => line.end()));
		},
	};
}

interface ChildQueue {
	ask<T>(child: KeptChild, request: KeptRequest<T>): Promise<KeptAnswer<T>>;
	end(): Promise<void>;
}

function openLine(maxAgeMs: number, hurried: AbortSignal): ChildQueue {
	let current: { readonly process: KeptProcess; readonly signal: AbortSignal | undefined } | null =
		null;
	let age: NodeJS.Timeout | undefined;
	let last: Promise<unknown> = Promise.resolve();
	const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
		const turn = last.then(work);
		last = turn.catch(() => undefined);
		return turn;
	};
	const endCurrent = async (): Promise<void> => {
		clearTimeout(age);
		const ending = current;
		current = null;
		await ending?.process.end();
	};
	const end = (): Promise<void> => inTurn(endCurrent);
	const processFor = async (child: KeptChild): Promise<KeptProcess> => {
		if (current !== null && !current.process.isOver() && current.signal === child.signal)
			return current.process;
		// One that another signal ends is of no use to this caller.
		await endCurrent();
		child.signal?.throwIfAborted();
		const process = startKept(child, hurried);
		current = { process, signal: child.signal };
		age = setTimeout(() => void end(), maxAgeMs).unref();
		return process;
	};
	const askOne = async <T>(child: KeptChild, request: KeptRequest<T>): Promise<KeptAnswer<T>> => {
		child.signal?.throwIfAborted();
		const process = await processFor(child);
		return await process.ask(request);
	};
	return {
		ask: (child, request) =>
			inTurn(async () => {
				const wasThere = current;
				const told = await askOne(child, request);
				// It had ended before it was asked, and nobody had noticed.
				const isSilent = wasThere?.process.isOver() === true && isWordless(told);
				return isSilent && request.repeatable === true ? await askOne(child, request) : told;
			}),
		end,
	};
}

// A request of which a part was read cannot be asked again.
function isWordless(told: KeptAnswer<unknown>): boolean {
	if ("answer" in told) return false;
	const { exitCode, truncated, timedOut } = told.end;
	return exitCode === -1 && told.bytesHeard === 0 && !truncated && !timedOut;
}
