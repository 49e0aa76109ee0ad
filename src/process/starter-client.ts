import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "../kernel/fault.ts";
import { type BoundedChild, type BoundedEnd, runBoundedChild } from "./bounded-child.ts";
import { killed } from "./ended-result.ts";
import type { ProcessRequest, ProcessResult } from "./process.ts";
import { endMarkedAs } from "./process-tree.ts";
import type { StarterMessage, StarterReply, StarterRequest } from "./starter-messages.ts";

/** A small process that starts children for this one. All is asked between `ready` and `onLost`. */
export interface Starter {
	/** Settles once: true when it can be asked, false when it has ended before. */
	readonly ready: Promise<boolean>;
	/** Runs a program; the rules of `runBoundedChild` hold. */
	run(child: BoundedChild): Promise<BoundedEnd>;
	/**
	 * Runs a program; the rules of `runHere` hold. Where the starter is lost, all that the call started is ended here, and the
	 * result is that of a program that was killed.
	 */
	call(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
	readonly pid: number | undefined;
}

/** Less memory is a faster start of children: a small young generation, and no threads besides the main one. */
const SMALL = ["--max-semi-space-size=1", "--single-threaded"];

const program = fileURLToPath(
	new URL(`./starter-process${extname(import.meta.url)}`, import.meta.url),
);

interface Waiting {
	take(reply: StarterReply): void;
	reject(error: Error): void;
}

/** A request without the number that it gets. */
type Asked =
	| Omit<Extract<StarterRequest, { kind: "run" }>, "id">
	| Omit<Extract<StarterRequest, { kind: "call" }>, "id">;

/**
 * Starts the process. It keeps this one alive only while a child runs, and ends with it.
 *
 * @param onLost called once, when it has ended for any reason; its children's calls have been rejected then with a
 * retryable Fault `git-failed`
 */
export function openStarter(onLost: () => void = () => undefined): Starter {
	const helper = fork(program, {
		execArgv: SMALL,
		env: { TMPDIR: tmpdir() },
		cwd: "/",
		// Out of reach of a terminal's Ctrl-C: how a command ends is decided here.
		detached: true,
		serialization: "advanced",
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
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

	/** @param take resolves at the reply that ends the request */
	const ask = async <T>(
		asked: Asked,
		signal: AbortSignal | undefined,
		take: (reply: StarterReply, resolve: (value: T) => void) => void,
	): Promise<T> => {
		signal?.throwIfAborted();
		requests += 1;
		const id = requests;
		const abort = (): void => send({ kind: "abort", id });
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
			waiting.delete(id);
			rest();
			signal?.removeEventListener("abort", abort);
		}
	};

	return {
		ready: ready.promise,
		pid: helper.pid,
		run: ({ signal, ...child }) =>
			ask<BoundedEnd>({ kind: "run", child }, signal, (reply, resolve) => {
				if (reply.kind === "end") resolve(reply.end);
			}),
		call: async ({ onStdout, onOutput, ...request }, signal) => {
			const startedAt = Date.now();
			const hearsStdout = onStdout !== undefined;
			const hearsOutput = onOutput !== undefined;
			const call = { request, hearsStdout, hearsOutput };
			try {
				return await ask<ProcessResult>({ kind: "call", call }, signal, (reply, resolve) => {
					if (reply.kind === "result") resolve(reply.result);
					else if (reply.kind === "heard") {
						const listener = reply.of === "stdout" ? onStdout : onOutput;
						listener?.(reply.text);
					}
				});
			} catch (error) {
				if (!isLost) throw error;
				await endMarkedAs(request.mark);
				signal.throwIfAborted();
				return killed(startedAt);
			}
		},
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
/** Whether it was opened, or is lost again. */
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

/** Once per process: where a starter cannot live, children are started directly. */
async function openCurrent(): Promise<void> {
	opening = true;
	const starter = openStarter(() => {
		current = null;
	});
	if (await starter.ready) current = starter;
}
