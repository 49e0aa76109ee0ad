import { attempt } from "../kernel/attempt.ts";

/** Time between SIGTERM and SIGKILL, in which a program can remove its lock files, in ms. */
export const GRACE_MS = 2_000;

// For a program whose result nobody needs any more. git leaves a lock behind when SIGTERM comes between its creation
// and git's note of it (measured: once in 600 signals during the first 7 ms of `git gc`), and leaves the files that are
// to be objects always.
const FINISH_MS = 1_000;

export interface GroupEnd {
	/** Sends SIGTERM, and SIGKILL when the grace has passed. */
	begin(): void;
	/** Begins unless the program has ended by itself within a second. */
	beginSoon(): void;
	kill(): void;
	over(): void;
}

/** For a program that leads a process group of its own; without a number it could not be started. */
export function groupEnd(pid: number | undefined, graceMs: number = GRACE_MS): GroupEnd {
	let finish: NodeJS.Timeout | undefined;
	let grace: NodeJS.Timeout | undefined;
	const begin = (): void => {
		signalGroup(pid, "SIGTERM");
		grace ??= setTimeout(() => {
			signalGroup(pid, "SIGKILL");
		}, graceMs);
	};
	return {
		begin,
		kill: () => signalGroup(pid, "SIGKILL"),
		beginSoon: () => {
			finish ??= setTimeout(begin, FINISH_MS);
		},
		over: () => {
			clearTimeout(finish);
			clearTimeout(grace);
		},
	};
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
	if (pid === undefined) return;
	// It may have ended already.
	attempt(() => process.kill(-pid, name), false);
}
