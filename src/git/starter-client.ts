import { fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "../kernel/fault.ts";
import { type BoundedChild, type BoundedEnd, runBoundedChild } from "./bounded-child.ts";
import type { StarterReply, StarterRequest } from "./starter-messages.ts";

/** A small process that starts children for this one. */
export interface Starter {
	/** Settles once: true when it can be asked, false when it has ended before. */
	readonly ready: Promise<boolean>;
	/** Runs a program; the rules of `runBoundedChild` hold. Only between `ready` and `onLost`. */
	run(child: BoundedChild): Promise<BoundedEnd>;
	readonly pid: number | undefined;
}

/** Less memory is a faster start of children: a small young generation, and no threads besides the main one. */
const SMALL = ["--max-semi-space-size=1", "--single-threaded"];

const program = fileURLToPath(
	new URL(`./starter-process${extname(import.meta.url)}`, import.meta.url),
);

interface Waiting {
	resolve(end: BoundedEnd): void;
	reject(error: Error): void;
}

/**
 * Starts the process. It keeps this one alive only while a child runs, and ends with it.
 *
 * @param onLost called once, when it has ended for any reason; its children's calls have been rejected then with a
 * retryable Fault `git-failed`
 */
export function openStarter(onLost: () => void = () => undefined): Starter {
	const helper = fork(program, {
		execArgv: SMALL,
		env: {},
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
	helper.on("message", (reply: StarterReply) => {
		if (reply.kind === "ready") {
			ready.resolve(true);
			return;
		}
		const asker = waiting.get(reply.id);
		waiting.delete(reply.id);
		rest();
		if (reply.kind === "end") asker?.resolve(reply.end);
		else asker?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
	});
	let isLost = false;
	const lose = (): void => {
		if (isLost) return;
		isLost = true;
		ready.resolve(false);
		for (const asker of waiting.values()) asker.reject(lostFault());
		waiting.clear();
		onLost();
	};
	helper.on("error", lose);
	helper.on("exit", lose);
	const send = (request: StarterRequest): void => {
		// A helper that has ended says so by `exit`.
		helper.send(request, () => undefined);
	};
	rest();
	return {
		ready: ready.promise,
		pid: helper.pid,
		run: async ({ signal, ...child }) => {
			signal?.throwIfAborted();
			requests += 1;
			const id = requests;
			const abort = (): void => send({ kind: "abort", id });
			signal?.addEventListener("abort", abort);
			hold();
			try {
				return await new Promise((resolve, reject) => {
					waiting.set(id, { resolve, reject });
					send({ kind: "run", id, child });
				});
			} catch (error) {
				throw signal?.aborted === true ? signal.reason : error;
			} finally {
				signal?.removeEventListener("abort", abort);
			}
		},
	};
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
let opening = false;
let current: Starter | null = null;

/**
 * Runs a program; the rules of `runBoundedChild` hold. A process that starts more than a few leaves it to a starter,
 * since to start a child takes longer the larger the parent is (1 ms at 50 MB, 9 ms at 250 MB), and all else waits.
 *
 * @throws what `runBoundedChild` throws; Fault `git-failed`, retryable, when the starter is killed
 */
export function startChild(child: BoundedChild): Promise<BoundedEnd> {
	started += 1;
	if (started > FEW) expectChildren();
	return current === null ? runBoundedChild(child) : current.run(child);
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
