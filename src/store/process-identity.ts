import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** What tells a process from every other one, reused process ids and other machines included. */
export interface ProcessIdentity {
	readonly host: string;
	/** Changes with each start of the machine; empty where the system has none. */
	readonly boot: string;
	/** The process id namespace, such as a container's; empty where the system has none. */
	readonly namespace: string;
	readonly pid: number;
	/** When the process began, in the system's own form. */
	readonly started: string;
}

function readOrEmpty(read: () => string): string {
	try {
		return read().trim();
	} catch {
		return "";
	}
}

/**
 * Start time from the text of `/proc/<pid>/stat`: field 22, in clock ticks after the start of the machine.
 *
 * @returns undefined for a process that has ended and only waits for its parent to notice
 * @example `"7 (a b) c) S 1 ..."` is read from behind the last bracket, as a program's name may hold any character
 */
export function startTimeFromStat(stat: string): string | undefined {
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	// The first of these is field 3, the state: Z is a zombie, X is dead.
	const [state] = fields;
	return state === "Z" || state === "X" ? undefined : fields[19];
}

/** When the process of this id began; undefined when there is none. */
export function processStartTime(
	pid: number,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	try {
		if (platform === "linux") return startTimeFromStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
		const shown = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], {
			encoding: "utf8",
			env: { LC_ALL: "C", TZ: "UTC" },
			stdio: ["ignore", "pipe", "ignore"],
		});
		return shown.trim() || undefined;
	} catch {
		return undefined;
	}
}

/** The identity of this process. */
export function ownIdentity(host: string = hostname()): ProcessIdentity {
	return {
		host,
		boot: readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
		namespace: readOrEmpty(() => readlinkSync("/proc/self/ns/pid")),
		pid: process.pid,
		started: processStartTime(process.pid) ?? "",
	};
}

/** Whether `own` can look the other process up: same machine, same start of it, same process ids. */
export function sharesProcesses(own: ProcessIdentity, other: ProcessIdentity): boolean {
	return own.host === other.host && own.boot === other.boot && own.namespace === other.namespace;
}
