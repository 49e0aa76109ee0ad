import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** A program that is not to outlive this process; it leads a process group of its own. */
export interface Guarded {
	readonly pid: number;
	// Of a call everything ends at once; null for a git, which may finish what it does.
	readonly call: {
		readonly mark: string;
		readonly places: readonly string[];
		readonly since: number;
	} | null;
}

export type WatchdogMessage = Guarded | { readonly pid: number; readonly over: true };

const program = fileURLToPath(
	new URL(`./watchdog-process${extname(import.meta.url)}`, import.meta.url),
);

const running = new Map<number, Guarded>();
let current: ChildProcess | null = null;

/**
 * Ends a program when this process dies, however it dies: a small process notices that its standard input closes. One
 * that is killed is replaced at the next program. To be released when the program has ended.
 */
export function guard(guarded: Guarded): () => void {
	const { pid } = guarded;
	running.set(pid, guarded);
	if (current === null) open();
	else tell(guarded);
	return () => {
		running.delete(pid);
		tell({ pid, over: true });
	};
}

function open(): void {
	const dog = spawn(
		process.execPath,
		["--max-semi-space-size=1", "--single-threaded", program],
		// Out of reach of a terminal's Ctrl-C: how programs end is decided here.
		{ cwd: "/", env: {}, detached: true, stdio: ["pipe", "ignore", "ignore"] },
	);
	const lost = (): void => {
		if (current === dog) current = null;
	};
	dog.on("error", lost);
	dog.on("exit", lost);
	dog.stdin.on("error", lost);
	dog.unref();
	// True because pipes of a child are sockets.
	(dog.stdin as Socket).unref();
	current = dog;
	for (const guarded of running.values()) tell(guarded);
}

function tell(message: WatchdogMessage): void {
	current?.stdin?.write(`${JSON.stringify(message)}\n`);
}
