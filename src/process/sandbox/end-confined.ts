import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Maximum rounds. Killing a process during its start may reveal another one. */
const ROUNDS = 100;
const PAUSE_MS = 5;

/** Processes with a text in their command line. Empty outside of Linux. */
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
 * Ends every confined process of a sandbox whose owner was killed. `bwrap --die-with-parent` has no effect if the parent
 * dies before the request reaches the kernel, and a namespace with relays never ends by itself.
 *
 * It finds the wrappers by the sandbox's script in their command line; killing one ends its whole process namespace.
 * Takes at most about half a second. Linux only.
 *
 * @param directory absolute path of the sandbox's own directory
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
