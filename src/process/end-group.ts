/** Time between SIGTERM and SIGKILL, in which a program can remove its lock files, in ms. */
export const GRACE_MS = 2_000;

/** How a process group is ended. */
export interface GroupEnd {
	/** Sends SIGTERM, and SIGKILL when the grace has passed. */
	begin(): void;
	/** To be called when the program has ended. */
	over(): void;
}

/**
 * For a program that leads a process group of its own.
 *
 * @param pid undefined for a program that could not be started: there is nothing to end
 */
export function groupEnd(pid: number | undefined, graceMs: number = GRACE_MS): GroupEnd {
	let grace: NodeJS.Timeout | undefined;
	return {
		begin: () => {
			signalGroup(pid, "SIGTERM");
			grace ??= setTimeout(() => {
				signalGroup(pid, "SIGKILL");
			}, graceMs);
		},
		over: () => clearTimeout(grace),
	};
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, name);
	} catch {
		// It has already ended.
	}
}
