import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Looks this often: what is killed in the middle of its start may show another one. */
const ROUNDS = 100;
const PAUSE_MS = 5;

/** Processes on whose command line a text stands. Linux only; elsewhere none. */
function namingOf(text: string): readonly number[] {
	if (process.platform !== "linux") return [];
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	return pids.filter((pid) => {
		try {
			return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
		} catch {
			// It has ended in between.
			return false;
		}
	});
}

/**
 * Ends every confined process of a sandbox whose owner was killed. `bwrap --die-with-parent` misses a parent that dies
 * before the wish reaches the kernel, and a namespace with relays in it never ends by itself.
 *
 * They are known by the scripts of the sandbox on the command lines of their wrappers, whose end takes a whole process
 * namespace along. Takes at most about half a second. Linux only.
 *
 * @param directory of the sandbox; absolute, and of this sandbox alone
 */
export async function endConfined(directory: string): Promise<void> {
	for (let round = 1; round <= ROUNDS; round += 1) {
		const pids = namingOf(`${directory}/call-`);
		if (pids.length === 0) return;
		for (const pid of pids) {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It has ended in between.
			}
		}
		await delay(PAUSE_MS);
	}
}
