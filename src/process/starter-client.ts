import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "../kernel/fault.ts";
import { type BoundedChild, type BoundedEnd, runBoundedChild } from "./bounded-child.ts";
import { killed } from "./ended-result.ts";
import type { ProcessRequest, ProcessResult } from "./process.ts";
import { startTicksOf } from "./process-table.ts";
import { endCall, GRACE_MS } from "./process-tree.ts";
import { MAX_TIMER_MS } from "./run-here.ts";
import type { SentCall, StarterMessage, StarterReply, StarterRequest } from "./starter-messages.ts";

/** A small process that starts children for this one. All is asked between `ready` and `onLost`. */
export interface Starter {
	/** Settles once: true when it can be asked, false when it has ended before. */
	readonly ready: Promise<boolean>;
	/** Runs a program; the rules of `runBoundedChild` hold. */
	run(child: BoundedChild): Promise<BoundedEnd>;
	/**
	 * Runs a program; the rules of `runHere` hold. Where the starter is lost, what the call started is ended here, as far as its
	 * mark and its places tell, and the result is that of a program that was killed.
	 */
	call(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
	readonly pid: number | undefined;
}

/** Less memory is a faster start of children: a small young generation, and no threads besides the main one. */
const SMALL = ["--max-semi-space-size=1", "--single-threaded"];

const program = fileURLToPath(
	new URL(`./starter-process${extname(import.meta.url)}`, import.meta.url),
);

/**
 * A starter that does not end a program this long after it should have is stopped or hangs: it is killed, and all its calls
 * with it. In ms: longer than it waits for a program that hangs in the kernel.
 */
const LATE_MS = 15_000;

interface Waiting {
	take(reply: StarterReply): void;
	reject(error: Error): void;
}

/** Hears the replies to a request, and resolves at the one that ends it. */
type Take<T> = (reply: StarterReply, resolve: (value: T) => void) => void;

/** A request without the number that it gets. */
type Asked =
	| Omit<Extract<StarterRequest, { kind: "run" }>, "id">
	| Omit<Extract<StarterRequest, { kind: "call" }>, "id">;

/**
 * Starts the process. It keeps this one alive only while a child runs, and ends with it.
 *
 * @param onLost called once, when it has ended for any reason; its children's calls have been rejected then with a
 * retryable Fault `git-failed`
 * @param lateMs for tests
 */
export function openStarter(
	onLost: () => void = () => undefined,
	lateMs: number = LATE_MS,
): Starter {
	const helper = fork(program, {
		execArgv: SMALL,
		env: { TMPDIR: tmpdir() },
		cwd: "/",
		// Out of reach of a terminal's Ctrl-C: how a command ends is decided here.
		detached: true,
		serialization: "advanced",
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
	const since = helper.pid === undefined ? 0 : startTicksOf(helper.pid);
	const waiting = new Map<number, Waiting>();
	const ready = Promise.withResolvers<boolean>();
	let requests = 0;
	const hold = (): void => {
		helper.ref();
		helper.channel?.ref();
	};
	const rest = (): void => {
		if (waiting.size > 0) return;
		helper.unref();
		helper.channel?.unref();
	};
	helper.on("message", (message: StarterMessage) => {
		if (message.kind === "ready") ready.resolve(true);
		else waiting.get(message.id)?.take(message);
	});
	let isLost = false;
	const lose = (): void => {
		if (isLost) return;
		isLost = true;
		ready.resolve(false);
		for (const asker of waiting.values()) asker.reject(lostFault());
		onLost();
	};
	helper.on("error", lose);
	helper.on("exit", lose);
	const send = (request: StarterRequest): void => {
		// A helper that has ended says so by `exit`.
		helper.send(request, () => undefined);
	};
	rest();

	/** Who waits is told as soon as it has ended. */
	const endWithin = (ms: number): NodeJS.Timeout =>
		setTimeout(() => helper.kill("SIGKILL"), Math.min(ms, MAX_TIMER_MS));

	const ask = async <T>(
		asked: Asked,
		{ signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
		take: Take<T>,
	): Promise<T> => {
		signal?.throwIfAborted();
		requests += 1;
		const id = requests;
		let patience = endWithin(timeoutMs + GRACE_MS + lateMs);
		const abort = (): void => {
			clearTimeout(patience);
			patience = endWithin(lateMs);
			send({ kind: "abort", id });
		};
		signal?.addEventListener("abort", abort);
		hold();
		try {
			return await new Promise((resolve, reject) => {
				waiting.set(id, {
					reject,
					take: (reply) => {
						if (reply.kind === "error") reject(errorOf(reply));
						else take(reply, resolve);
					},
				});
				send({ ...asked, id });
			});
		} catch (error) {
			throw signal?.aborted === true ? signal.reason : error;
		} finally {
			clearTimeout(patience);
			waiting.delete(id);
			rest();
			signal?.removeEventListener("abort", abort);
		}
	};

	return {
		ready: ready.promise,
		pid: helper.pid,
		run: ({ signal, ...child }) =>
			ask<BoundedEnd>(
				{ kind: "run", child },
				{ signal, timeoutMs: child.timeoutMs },
				(reply, resolve) => {
					if (reply.kind === "end") resolve(reply.end);
				},
			),
		call: async (request, signal) => {
			const startedAt = Date.now();
			const limits = { signal, timeoutMs: request.timeoutMs };
			try {
				return await ask({ kind: "call", call: sentCall(request) }, limits, listening(request));
			} catch (error) {
				if (!isLost) throw error;
				await endCall(request, since);
				signal.throwIfAborted();
				return killed(startedAt);
			}
		},
	};
}

function sentCall({ onStdout, onOutput, ...request }: ProcessRequest): SentCall {
	return { request, hearsStdout: onStdout !== undefined, hearsOutput: onOutput !== undefined };
}

/** Passes on what is heard of a call, until its result. */
function listening({ onStdout, onOutput }: ProcessRequest): Take<ProcessResult> {
	return (reply, resolve) => {
		if (reply.kind === "result") resolve(reply.result);
		else if (reply.kind === "heard") {
			const listener = reply.of === "stdout" ? onStdout : onOutput;
			listener?.(reply.text);
		}
	};
}

function errorOf({ message, code }: Extract<StarterReply, { kind: "error" }>): Error {
	return Object.assign(new Error(message), { code });
}

function lostFault(): Fault {
	return new Fault("the process that starts git for Sparring ended while a command ran", {
		code: "git-failed",
		retryable: true,
		hint: "Something ended it from outside, such as a lack of memory. Run spar resume.",
	});
}

/** This many children a process starts by itself, so that a short command does not pay for a starter: about 30 ms. */
const FEW = 12;

let started = 0;
/** Whether one is under way, or there, or died before it could be asked. */
let opening = false;
let current: Starter | null = null;

/** The starter of this process; null where it has none, and starts its children itself. */
export const currentStarter = (): Starter | null => current;

/**
 * Runs a program; the rules of `runBoundedChild` hold. A process that starts more than a few leaves it to a starter,
 * since to start a child takes longer the larger the parent is (1 ms at 50 MB, 9 ms at 250 MB), and all else waits.
 *
 * @throws what `runBoundedChild` throws; Fault `git-failed`, retryable, when the starter is killed
 */
export async function startChild(child: BoundedChild): Promise<BoundedEnd> {
	started += 1;
	if (started > FEW) expectChildren();
	// While this thread was busy, the starter may have said that it is ready: that is heard in the next round.
	if (opening && current === null) await new Promise((resolve) => setImmediate(resolve));
	return current === null ? await runBoundedChild(child) : await current.run(child);
}

/** Opens the starter that `startChild` uses, for who knows that many children will follow. */
export function expectChildren(): void {
	if (!opening) void openCurrent();
}

/** One that is lost is replaced. Where a starter cannot live, children are started directly. */
async function openCurrent(): Promise<void> {
	opening = true;
	const starter = openStarter(() => {
		// It never was if it was not ready.
		opening = current !== starter;
		if (current === starter) current = null;
	});
	if (await starter.ready) current = starter;
}
